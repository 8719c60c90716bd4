"""Brackets are counted outside strings, whatever else a text may be."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.core.transcript import RefusedInput
from review.core.transcript.records import MAX_BRACKETS, MAX_NESTING, parse_json

# Whole strings, quotes and escapes that break them, brackets, and runs of brackets near the limit.
_PIECES = [
    "[",
    "]",
    "{",
    "}",
    '"',
    "\\",
    "a",
    '"[{"',
    '"\\""',
    "[" * 25,
    "]" * 25,
    "{" * 24,
    "}" * 24,
]


def deepest(text: str) -> int:
    """Count as a reader does who goes from character to character."""
    depth = most = 0
    is_inside = is_escaped = False
    for character in text:
        if is_inside:
            is_inside = is_escaped or character != '"'
            is_escaped = not is_escaped and character == "\\"
        elif character == '"':
            is_inside = True
        else:
            depth += (character in "[{") - (character in "]}")
            most = max(most, depth)
    return most


def code_of(text: str) -> str:
    """Return the code of the refusal, or nothing."""
    try:
        parse_json(text, where="x.json")
    except RefusedInput as refusal:
        return refusal.finding.code
    return ""


@given(st.lists(st.sampled_from(_PIECES), max_size=14).map("".join))
def test_a_text_is_too_deep_where_a_reader_counts_more_than_fifty(text: str) -> None:
    assert (code_of(text) == "too_deep") == (deepest(text) > MAX_NESTING)


@pytest.mark.parametrize(("depth", "code"), [(MAX_NESTING, ""), (MAX_NESTING + 1, "too_deep")])
def test_the_limit_itself_is_read(depth: int, code: str) -> None:
    assert code_of("[" * depth + "]" * depth) == code


@pytest.mark.parametrize(("inner", "code"), [(-1, ""), (0, "too_many_values")])
def test_as_many_brackets_as_the_limit_are_read(inner: int, code: str) -> None:
    assert code_of(json.dumps([{}] * (MAX_BRACKETS + inner))) == code
