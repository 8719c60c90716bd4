"""A masked call: as many code points, whole characters, and every selection at its own place."""

from __future__ import annotations

import regex
from hypothesis import given
from hypothesis import strategies as st

from review.core.evidence.selection import span_of_selection
from review.core.masking import MASK, is_masked, masker_of, masker_of_plain
from review.core.masking.known import is_personal, name_in_label
from tests.factories import case

KNOWN = masker_of_plain({"patient_name": "Zoë שרה"}, ["Mira Stone"])
PIECES = st.lists(
    st.sampled_from(
        [
            "Zoë שרה",
            "Zoe\u0308 שרה",
            " ",
            "👩‍👩‍👧",
            "e\u0301",
            "123-45-6789",
            "Mira",
            "x",
            "\r\n",
            "é",
            "שרה",
        ]
    ),
    max_size=12,
).map("".join)


@given(PIECES)
def test_a_masked_text_has_the_same_characters_at_the_same_places(text: str) -> None:
    shown = KNOWN.text(text)
    assert len(shown) == len(text)
    edges, shown_edges = (
        [unit.span() for unit in regex.finditer(r"\X", one)] for one in (text, shown)
    )
    assert edges == shown_edges
    for here, there in zip(text, shown, strict=True):
        assert here == there or there in (MASK, "\u034f")


@given(PIECES.filter(bool), st.data())
def test_a_selection_in_masked_words_gives_the_span_of_the_true_ones(
    text: str, data: st.DataObject
) -> None:
    places = [unit.span() for unit in regex.finditer(r"\X", text)]
    first = data.draw(st.integers(0, len(places) - 1))
    last = data.draw(st.integers(first, len(places) - 1))
    begin, end = places[first][0], places[last][1]
    words, shown = text[begin:end], KNOWN.text(text)
    if not words.strip():
        return
    found = span_of_selection(shown, _units(shown, begin), _units(shown, end), shown[begin:end])
    assert found == span_of_selection(text, _units(text, begin), _units(text, end), words)


def _units(text: str, place: int) -> int:
    """Return the UTF-16 offset of a place in a text as an HTML parser leaves it."""
    return len(text[:place].replace("\r\n", "\n").encode("utf-16-le")) // 2


def test_case_b_keeps_its_turns_and_loses_its_patient() -> None:
    before = case("case_b_call")
    after = masker_of(before).call(before)
    assert [len(one.text) for one in after.turns] == [len(one.text) for one in before.turns]
    words = " ".join(one.text for one in after.turns) + str([one.args for one in after.events])
    for gone in ("Rowan", "Quillfeather", "April ninth", "Z Z T", "ZZT000417", "Jessamy", "0142"):
        assert gone not in words
    for kept in ("Fictorol", "$25", "tier two", "Pinecrest Rheumatology"):
        assert kept in words
    assert is_masked(words)
    assert after.attributes == before.attributes


def test_keys_and_labels_say_whether_they_are_of_people() -> None:
    personal = ("patient_name", "memberId", "DOB", "phone", "account", "mailing_address")
    other = ("plan_name", "drug", "tier", "option", "to", "file_name", "type")
    assert [key for key in (*personal, *other) if is_personal(key)] == list(personal)
    labels = ("Mira Stone", "Dr. Hale (clinic)", "Zoë", "Agent", "AI agent", "Speaker 1", "IVR")
    assert [name_in_label(one) for one in labels] == ["Mira Stone", "Hale", "Zoë", "", "", "", ""]
