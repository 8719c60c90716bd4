"""What a browser has selected becomes a span of code points: emoji, marks, right to left, CR LF."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.evidence.selection import span_of_selection

FAMILY = "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}"
ACUTE = "\N{COMBINING ACUTE ACCENT}"

# name, text, start and end in UTF-16 units, the words, the span in code points
SELECTED = [
    ("plain", "Born in April.", 8, 13, "April", (8, 13)),
    ("behind an emoji", "\N{PILL} ten mg", 3, 9, "ten mg", (2, 8)),
    ("an emoji itself", "take \N{PILL} now", 5, 7, "\N{PILL}", (5, 6)),
    ("a part of a family", f"a {FAMILY} b", 2, 4, "\N{MAN}", (2, 7)),
    ("a letter without its mark", f"caf e{ACUTE} b", 4, 5, "e", (4, 6)),
    ("a flag of two letters", "\N{REGIONAL INDICATOR SYMBOL LETTER D}" * 2, 0, 2, "", None),
    ("right to left", "אבג דהו", 0, 3, "אבג", (0, 3)),
    ("margins are left out", "so  PPO plan ", 2, 13, "  PPO plan ", (4, 12)),
    ("a carriage return is one line feed", "one\r\ntwo", 4, 7, "two", (5, 8)),
    ("over a line's end", "one\r\ntwo", 2, 5, "e\nt", (2, 6)),
    ("a lone carriage return", "one\rtwo", 4, 7, "two", (4, 7)),
    ("the whole turn", "all of it", 0, 9, "all of it", (0, 9)),
]


@pytest.mark.parametrize(("name", "text", "start", "end", "words", "span"), SELECTED)
def test_a_selection_is_read_as_it_was_seen(
    name: str, text: str, start: int, end: int, words: str, span: tuple[int, int] | None
) -> None:
    if span is None:
        with pytest.raises(ValueError, match="was selected"):
            span_of_selection(text, start, end, words)
        return
    assert span_of_selection(text, start, end, words) == span, name


REFUSED = [
    ("other words", "Born in April.", 8, 13, "March", "“April” there, but “March”"),
    ("beyond the end", "short", 2, 9, "ort", "does not lie inside"),
    ("turned round", "short", 4, 2, "or", "does not lie inside"),
    ("empty", "short", 2, 2, "", "does not lie inside"),
    ("before the beginning", "short", -1, 2, "sh", "does not lie inside"),
    ("space alone", "a   b", 1, 4, "   ", "Nothing but space"),
]


@pytest.mark.parametrize(("name", "text", "start", "end", "words", "sentence"), REFUSED)
def test_a_bad_span_is_refused_with_both_texts(
    name: str, text: str, start: int, end: int, words: str, sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        span_of_selection(text, start, end, words)


@given(
    st.text(st.sampled_from(f"aé \N{PILL}{ACUTE}א{FAMILY}"), min_size=1, max_size=30),
    st.integers(0, 30),
    st.integers(1, 30),
)
def test_the_span_always_holds_what_was_selected(text: str, start: int, length: int) -> None:
    words = text[start : start + length]
    if not words.strip():
        return
    units = [len(part.encode("utf-16-le")) // 2 for part in (text[:start], words)]
    first, last = span_of_selection(text, units[0], sum(units), words)
    assert words.strip() in text[first:last]
