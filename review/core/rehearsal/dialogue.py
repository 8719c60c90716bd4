"""Example sentences as calls: ``Agent: Is the plan active? Rep: Yes.`` is two turns.

A label is a capitalised role, or a capitalised key of the document's `labels`. Turns are numbered
from 1 and lie five seconds apart, so that a limit in seconds can be tried too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from catalogs.core.document import Document
from review.core.transcript import Call, Source, Speaker, Turn, TurnKind

_LABEL = re.compile(r"(?:^|\s)([A-Z][A-Za-z_]*):(?=\s|$)")
_APART_MS = 5_000
_LONG_MS = 4_000


class NotADialogueError(ValueError):
    """A sentence that cannot be told apart into turns; the message says what to write."""


def labels_of(document: Document) -> Mapping[str, str]:
    """Return the role of each label, in small letters."""
    roles = {role.lower(): role for role in document.speakers}
    return roles | {label.lower(): role for label, role in document.labels.items()}


def dialogue(text: str, labels: Mapping[str, str]) -> Call:
    """Make a call of an example sentence. Raises NotADialogueError for one without speakers."""
    hits = list(_LABEL.finditer(text))
    known = ", ".join(sorted({label.capitalize() for label in labels}))
    if not hits or text[: hits[0].start()].strip():
        raise NotADialogueError(f"starts with no speaker; begin with one of {known} and a colon")
    for hit in hits:
        if hit[1].lower() not in labels:
            said = f"{hit[1]!r} with a colon reads as a speaker that is none of {known}"
            raise NotADialogueError(f"{said}; declare the label or reword")
    ends = [*(hit.start() for hit in hits[1:]), len(text)]
    turns = tuple(
        _turn(index, hit[1], labels[hit[1].lower()], text[hit.end() : end].strip())
        for index, (hit, end) in enumerate(zip(hits, ends, strict=True))
    )
    speakers = {turn.speaker: Speaker(turn.speaker, turn.role, turn.speaker) for turn in turns}
    return Call(
        id="example",
        title="example",
        attributes={},
        speakers=speakers,
        turns=turns,
        events=(),
        ended=True,
        source=Source("example", "example", ""),
    )


def _turn(index: int, label: str, role: str, text: str) -> Turn:
    begin = index * _APART_MS
    flags = () if text else ("empty_turn",)
    return Turn(index + 1, label, role, TurnKind.SPEECH, text, begin, begin + _LONG_MS, flags)
