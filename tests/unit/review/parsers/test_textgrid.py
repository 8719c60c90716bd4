"""TextGrids: long and short form, tiers on one clock, two files of one call."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review.core.batches import Found, count_all, read_portions
from review.core.parsers import parse_calls, parse_voices, textgrid
from review.core.transcript import Call
from tests.unit.review.parsers.call_files import SHARED, codes

Interval = tuple[float, float, str]
DOCTOR: list[Interval] = [(0, 1.5, "Hello."), (1.5, 4, ""), (4, 5, 'A "quote".')]
PATIENT: list[Interval] = [(1.25, 3, "Hi."), (4, 4.5, "<UNIN/>")]


def long_form(**tiers: list[Interval]) -> str:
    """Return a TextGrid as Praat writes it."""
    lines = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "", "xmin = 0 ", "xmax = 9 "]
    lines += ["tiers? <exists> ", f"size = {len(tiers)} ", "item []: "]
    for k, (name, intervals) in enumerate(tiers.items(), 1):
        lines += [
            f"    item [{k}]:",
            '        class = "IntervalTier" ',
            f'        name = "{name}" ',
        ]
        lines += ["        xmin = 0 ", "        xmax = 9 "]
        lines += [f"        intervals: size = {len(intervals)} "]
        for n, (start, end, text) in enumerate(intervals, 1):
            quoted = text.replace('"', '""')
            lines += [f"        intervals [{n}]:", f"            xmin = {start} "]
            lines += [f"            xmax = {end} ", f'            text = "{quoted}" ']
    return "\r\n".join(lines)


def short_form(**tiers: list[Interval]) -> str:
    """Return a TextGrid with nothing but its values."""
    lines = ['File type = "ooTextFile short"', '"TextGrid"', "", "0", "9", "<exists>"]
    lines += [str(len(tiers))]
    for name, intervals in tiers.items():
        lines += ['"IntervalTier"', f'"{name}"', "0", "9", str(len(intervals))]
        for start, end, text in intervals:
            quoted = text.replace('"', '""')
            lines += [str(start), str(end), f'"{quoted}"']
    return "\n".join(lines)


def found_in(files: list[tuple[str, bytes]]) -> list[Found]:
    """Return what a batch of files holds."""
    read = read_portions(files, form=None, parts_done=0, in_part=0)
    return [one for portion in read for one in portion.found]


def spoken(call: Call) -> list[tuple[str, str, int | None, int | None]]:
    """Return who says what, when."""
    return [(turn.speaker, turn.text, turn.start_ms, turn.end_ms) for turn in call.turns]


WOVEN = [
    ("doctor", "Hello.", 0, 1500),
    ("patient", "Hi.", 1250, 3000),
    ("doctor", 'A "quote".', 4000, 5000),
    ("patient", "<UNIN/>", 4000, 4500),
]


@pytest.mark.parametrize("form", [long_form, short_form])
@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "utf-16"])
def test_tiers_are_woven_by_their_starts(form: object, charset: str) -> None:
    assert callable(form)
    data = form(doctor=DOCTOR, patient=PATIENT).encode(charset)
    result = parse_calls(data, name="visit.TextGrid")
    assert (result.format, result.refused) == ("textgrid", ())
    (call,) = result.calls
    assert spoken(call) == WOVEN
    assert {"overlap", "equal_timestamps", "resorted_by_time", "non_speech"} <= set(call.flags)


def test_two_files_are_one_call_whose_voices_stand_in_the_names() -> None:
    files = [
        ("in/v7_doctor.TextGrid", long_form(Speaker=DOCTOR).encode()),
        ("in/v7_patient.TextGrid", short_form(Speaker=PATIENT).encode()),
    ]
    (call,) = parse_voices(files, name="in").calls
    assert (call.id, spoken(call)) == ("v7", WOVEN)
    other = [files[0], (files[1][0], short_form(Speaker=PATIENT[:1]).encode())]
    assert parse_voices(other, name="in").calls[0].source.sha256 != call.source.sha256


@pytest.mark.parametrize(
    ("names", "parts"),
    [
        (["v_doctor.TextGrid", "v_patient.TextGrid"], 1),
        (["v_doctor.TextGrid", "w_patient.TextGrid"], 2),
        (["a/v_doctor.TextGrid", "b/v_patient.TextGrid"], 2),
        (["v_1.TextGrid", "v_2.TextGrid"], 2),
        (["v_doctor.TextGrid", "v_doctor.textgrid"], 2),
        (["v_doctor.json", "v_patient.json"], 2),
    ],
)
def test_only_names_of_roles_behind_one_name_are_one_call(names: list[str], parts: int) -> None:
    files = [(name, long_form(Speaker=DOCTOR).encode()) for name in names]
    assert count_all(files) == parts
    found = found_in(files)
    assert len(found) == parts
    rest = list(read_portions(files, form=None, parts_done=1, in_part=0))
    assert sum(len(portion.found) for portion in rest) == parts - 1


@pytest.mark.parametrize(
    "data",
    [
        long_form(a=DOCTOR)[:-30].encode(),
        long_form(a=DOCTOR).replace("size = 3", "size = 9").encode(),
        b'File type = "ooTextFile"\nObject class = "TextGrid"\n',
    ],
)
def test_one_that_is_cut_off_is_refused(data: bytes) -> None:
    result = parse_calls(data, name="x.TextGrid")
    assert result.format == "textgrid"
    assert [finding.code for _, finding in result.refused] == ["bad_textgrid"]


@given(st.text(alphabet='"<>! \n0123456789.-eE[]exists', max_size=80))
@settings(max_examples=60, deadline=None)
def test_no_text_makes_it_raise(text: str) -> None:
    head = 'File type = "ooTextFile"\nObject class = "TextGrid"\n0 9 <exists> 1 "IntervalTier" '
    textgrid.parse((head + text).encode(), name="x_doctor.TextGrid")


def intervals_of(path: Path) -> list[tuple[int, int]]:
    """Read the bounds of intervals with words in milliseconds, as plainly as can be."""
    text = path.read_text("utf-8")
    found = re.findall(r'xmin = ([\d.]+)\s+xmax = ([\d.]+)\s+text = "((?:[^"]|"")*)"', text)
    return [
        (round(float(start) * 1000), round(float(end) * 1000))
        for start, end, words in found
        if words.strip()
    ]


@pytest.mark.skipif(not SHARED.exists(), reason="the shared folder is not beside the repository")
def test_all_pairs_of_recorded_visits_are_calls_with_their_overlaps_marked() -> None:
    paths = sorted((SHARED / "data/primock57/transcripts").glob("*.TextGrid"))
    files = [(path.name, path.read_bytes()) for path in paths]
    assert (len(files), count_all(files)) == (76, 38)
    found = found_in(files)
    calls = [one.call for one in found if one.call is not None]
    assert len(calls) == len(found) == 38
    for call in calls:
        voices = [path for path in paths if path.name.startswith(f"{call.id}_")]
        said = sorted(bounds for path in voices for bounds in intervals_of(path))
        assert [turn.start_ms for turn in call.turns] == [start for start, _ in said]
        assert len({turn.speaker.casefold() for turn in call.turns}) == 2
        latest, overlapping = 0, 0
        for start, end in said:
            overlapping += start < latest
            latest = max(latest, end)
        assert sum("overlap" in turn.flags for turn in call.turns) == overlapping
    assert "overlap" in codes(found[0].findings)
