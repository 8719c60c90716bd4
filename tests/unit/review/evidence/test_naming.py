"""Which item a turn speaks of: the one it names, else the one named last before it."""

from __future__ import annotations

import pytest

from review.core.evidence.naming import Naming, name_items
from review.core.transcript import ListItem
from tests.unit.review.cascade.small import call

ITEMS = (ListItem("fic", ("Fictorol", "Fic")), ListItem("ima", ("Imaginumab",)))


def naming(*words: str) -> Naming:
    return name_items(call(*[("rep", text) for text in words]), ITEMS)


def test_the_name_is_carried_forward_and_none_before_the_first() -> None:
    found = naming("hello", "Fictorol please", "that one", "and IMAGINUMAB", "it")
    assert found.carried == (None, "fic", "fic", "ima", "ima")


@pytest.mark.parametrize(
    ("text", "end", "item"),
    [
        ("Fictorol is tier two and Imaginumab tier four", 20, "fic"),
        ("Fictorol is tier two and Imaginumab tier four", 45, "ima"),
        ("Tier two: Fictorol", 8, "fic"),
        ("for both, tier two", 18, None),
    ],
)
def test_inside_a_turn_the_nearest_name_before_the_words_counts(
    text: str, end: int, item: str | None
) -> None:
    assert naming(text).at(0, end) == item


@pytest.mark.parametrize("text", ["Fictorols", "aFic", "Fic2"])
def test_a_name_inside_a_longer_word_is_none(text: str) -> None:
    assert naming(text).carried == (None,)


def test_only_turns_that_name_two_items_are_read_match_by_match() -> None:
    assert naming("Fictorol, Fictorol", "Fic and Imaginumab", "no").several == frozenset({1})


@pytest.mark.parametrize(
    ("values", "item"),
    [(("fic",), "fic"), (("x", "Imaginumab"), "ima"), ((3, None, "other"), None), ((), None)],
)
def test_an_event_names_its_item_in_an_argument(
    values: tuple[object, ...], item: str | None
) -> None:
    assert naming("hello").of_arguments(values) == item
