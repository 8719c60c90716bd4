"""Overlapping evidence, and code points that are no character of their own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.presenters.segments import Span, cut

NO_HUES = (None, None)
HUES = {"PID": 1, "CSV": 2, "DFV": 3}


def shown(text: str, *spans: tuple[str, int, int]) -> list[tuple[str, tuple[str, ...]]]:
    return [(part.text, part.phases) for part in cut(text, [Span(*span) for span in spans], HUES)]


def test_text_without_evidence_is_one_segment() -> None:
    assert shown("hello") == [("hello", ())]
    assert shown("") == []


def test_a_span_is_cut_out_and_lettered_once() -> None:
    parts = cut("so the date matches.", [Span("PID", 7, 19)], HUES)
    assert [part.text for part in parts] == ["so the ", "date matches", "."]
    assert [letter.phase for part in parts for letter in part.letters] == ["PID"]
    assert parts[1].hue == 1


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        pytest.param(
            [("PID", 0, 6), ("CSV", 3, 9)],
            [("abc", ("PID",)), ("def", ("PID", "CSV")), ("ghi", ("CSV",)), ("j", ())],
            id="overlapping",
        ),
        pytest.param(
            [("CSV", 2, 4), ("PID", 0, 6)],
            [("ab", ("PID",)), ("cd", ("PID", "CSV")), ("ef", ("PID",)), ("ghij", ())],
            id="nested",
        ),
        pytest.param(
            [("PID", 2, 5), ("CSV", 2, 5), ("DFV", 2, 5)],
            [("ab", ()), ("cde", ("CSV", "DFV", "PID")), ("fghij", ())],
            id="three at one place",
        ),
        pytest.param(
            [("PID", 0, 4), ("PID", 2, 6)],
            [("abcdef", ("PID",)), ("ghij", ())],
            id="two items of one phase are one underline",
        ),
        pytest.param(
            [("PID", 4, 4)],
            [("abcdefghij", ())],
            id="an empty span shows nothing",
        ),
        pytest.param([("PID", 8, 99)], [("abcdefgh", ()), ("ij", ("PID",))], id="past the end"),
    ],
)
def test_segments(
    spans: list[tuple[str, int, int]], expected: list[tuple[str, tuple[str, ...]]]
) -> None:
    assert shown("abcdefghij", *spans) == expected


def test_two_phases_have_two_underlines_and_each_is_lettered_where_it_ends() -> None:
    parts = cut("abcdefghij", [Span("PID", 0, 6), Span("CSV", 3, 9)], HUES)
    assert [(part.hue, part.second) for part in parts] == [
        (1, None),
        (1, 2),
        (2, None),
        (None,) * 2,
    ]
    assert [[letter.phase for letter in part.letters] for part in parts] == [
        [],
        ["PID"],
        ["CSV"],
        [],
    ]


@pytest.mark.parametrize(
    ("text", "span", "marked"),
    [
        pytest.param("a\U0001f44d b", (2, 4), " b", id="an emoji is one code point"),
        pytest.param("cafe\u0301 x", (0, 4), "cafe\u0301", id="a combining accent stays"),
        pytest.param(
            "\U0001f468\u200d\U0001f469\u200d\U0001f467!",
            (0, 1),
            "\U0001f468\u200d\U0001f469\u200d\U0001f467",
            id="a family is not cut",
        ),
        pytest.param("\U0001f44b\U0001f3fd hi", (0, 1), "\U0001f44b\U0001f3fd", id="skin tone"),
        pytest.param("\u05e9\u05dc\u05d5\u05dd abc", (0, 4), "\u05e9\u05dc\u05d5\u05dd", id="rtl"),
    ],
)
def test_offsets_are_code_points_and_characters_stay_whole(
    text: str, span: tuple[int, int], marked: str
) -> None:
    parts = cut(text, [Span("PID", *span)], HUES)
    assert "".join(part.text for part in parts if part.phases) == marked


@given(
    st.text(max_size=30),
    st.lists(st.tuples(st.sampled_from(list(HUES)), st.integers(0, 35), st.integers(0, 35))),
)
def test_the_segments_are_the_text_again(text: str, spans: list[tuple[str, int, int]]) -> None:
    parts = cut(text, [Span(phase, min(a, b), max(a, b)) for phase, a, b in spans], HUES)
    assert "".join(part.text for part in parts) == text
    assert all(part.text for part in parts)
