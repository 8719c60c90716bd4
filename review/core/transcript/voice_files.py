"""Files that hold one voice of a call each, told by their names.

``day1_consultation01_doctor.TextGrid`` and ``day1_consultation01_patient.TextGrid`` are one call:
the same folder and name up to the last ``_``, and behind it two different names of roles. Names
that only count (``visit_1``, ``visit_2``) are calls of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

from review.core.transcript.labels import is_role_label
from review.core.transcript.voices import file_stem

_SUFFIX = ".textgrid"
_MOST_VOICES = 10


def group_voices(names: Sequence[str]) -> list[tuple[int, ...]]:
    """Return the places of the names, those of one call together where the first of them stands.

    >>> group_voices(["a_doctor.TextGrid", "b.vtt", "a_patient.TextGrid", "a_1.TextGrid"])
    [(0, 2), (1,), (3,)]
    """
    groups: dict[str, list[int]] = {}
    for k, name in enumerate(names):
        groups.setdefault(_call_of(name) or f"\n{k}", []).append(k)
    found: list[tuple[int, ...]] = []
    for places in groups.values():
        voices = {voice_of(names[k]).casefold() for k in places}
        is_call = len(voices) == len(places) <= _MOST_VOICES
        found += [tuple(places)] if is_call else [(k,) for k in places]
    return sorted(found)


def voice_of(name: str) -> str:
    """Return the voice that the name of a file says, or nothing.

    >>> voice_of("day1_consultation01_doctor.TextGrid"), voice_of("call.TextGrid")
    ('doctor', '')
    """
    stem = file_stem(name)
    return stem.rpartition("_")[2] if "_" in stem else ""


def name_without_voice(name: str) -> str:
    """Return the name of a file, without its suffix and its voice.

    >>> name_without_voice("in/day1_consultation01_doctor.TextGrid")
    'day1_consultation01'
    """
    return file_stem(name).rpartition("_")[0] or file_stem(name)


def _call_of(name: str) -> str | None:
    if not name.casefold().endswith(_SUFFIX) or not is_role_label(voice_of(name)):
        return None
    return name[: -len(_SUFFIX)].rpartition("_")[0]
