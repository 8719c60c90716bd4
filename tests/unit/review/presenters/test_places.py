"""Turn numbers in sentences."""

from __future__ import annotations

import pytest

from review.presenters.places import Piece, linked, show_point


@pytest.mark.parametrize(
    ("sentence", "anchors"),
    [
        ("CSV started at turn 42, but PID first finished at turn 52.", ["t42", "t52"]),
        ("Turn 42 both finishes A and starts B.", ["t42"]),
        ("52 < 42 is false", []),
        ("turn 421 is not of this call", []),
        ("overturn 42", []),
        ("", []),
    ],
)
def test_numbers_of_turns_of_this_call_become_links(sentence: str, anchors: list[str]) -> None:
    pieces = linked(sentence, {42, 52})
    assert [piece.anchor for piece in pieces if piece.anchor] == anchors
    assert "".join(piece.text for piece in pieces) == sentence


def test_words_stay_text() -> None:
    assert linked("<script>turn 1</script>", {1})[1] == Piece("1", "t1")


def test_a_point_is_a_number_never_or_a_question_mark() -> None:
    assert (show_point(0).text, show_point(0).anchor) == ("0", "t0")
    assert (show_point("never").text, show_point("never").anchor) == ("never", None)
    assert (show_point(None).text, show_point(None).spoken) == ("?", "not known")
