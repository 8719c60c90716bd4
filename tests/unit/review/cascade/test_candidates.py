"""Candidates by wording: what is looked for, in which turns, and in which order."""

from __future__ import annotations

import pytest

from catalogs.core.document import Document
from review.core.cascade.candidates import (
    FIRST,
    Candidates,
    pack_vectors,
    rank_turns,
    said_turns,
    seek,
    texts_of,
    unpack_vectors,
)
from review.core.cascade.pipeline import prefill, prepare
from review.core.transcript import Call
from tests.unit.review.cascade.small import call, catalog, item, load, phase, said
from tests.wording import WordEncoder

PASSING = ["Agent: Is the plan in force? Rep: The plan is in force.", "Rep: It runs until May."]
CSV = {
    **phase("CSV", [said("coverage", "agent")], [item("told", said("active", "rep"))]),
    "rubric": {"pass": PASSING, "fail": ["Rep: Wait.", "Rep: Hm."]},
}
TURNS = (
    ("agent", "And coverage?"),
    ("rep", "Hm, one moment."),
    ("agent", "Is the plan in force, please?"),
    ("rep", "Yes."),
    ("rep", "The weather is fine."),
    ("agent", "The plan is in force."),
)


def found(heard: Call, read: Document) -> tuple[Candidates, ...]:
    """Pre-fill a call, and rank its turns by the words they share with the catalog."""
    encoder, texts, turns = WordEncoder(), texts_of(read), said_turns(heard)
    wording = dict(zip(texts, encoder.encode(texts), strict=True))
    said_vectors = encoder.encode([turn.text for turn in turns])
    sought = seek(read, prefill(heard, prepare(read)).rows)
    return rank_turns(sought, turns, said_vectors, wording)


def test_the_nearest_turns_of_who_can_show_it_come_first() -> None:
    [one] = found(call(*TURNS), load(catalog(CSV)))
    # The answer "Yes." is told by its question; what the agent says shows nothing here.
    assert (one.phase, one.item) == ("CSV", "told")
    assert one.turns[0] == 4
    assert len(one.turns) == FIRST
    assert not {1, 3, 6} & set(one.turns)


def test_of_equally_near_turns_the_earlier_comes_first() -> None:
    same = [("rep", "Certainly, one moment."), ("agent", "...")] * 5
    [one] = found(call(TURNS[0], *same), load(catalog(CSV)))
    assert one.turns == (2, 4, 6)


def test_examples_are_split_by_who_speaks() -> None:
    assert texts_of(load(catalog(CSV)))[1:] == (
        "Is the plan in force?",
        "The plan is in force.",
        "It runs until May.",
    )


@pytest.mark.parametrize(
    ("turns", "why"),
    [
        ((("agent", "And coverage?"), ("rep", "It is active.")), "the item is shown"),
        ((("agent", "And coverage?"), ("agent", "It is in force.")), "nobody who can show it"),
        ((("agent", "And coverage?"), ("rep", "  ")), "nothing is said"),
    ],
)
def test_nothing_is_proposed(turns: tuple[tuple[str, str], ...], why: str) -> None:
    assert found(call(*turns), load(catalog(CSV))) == (), why


def test_a_contradicted_row_has_no_candidates() -> None:
    read = load(catalog({**CSV, "contradicts": [said("lapsed", "rep")]}))
    heard = call(
        ("agent", "And coverage?"), ("rep", "It is active."), ("rep", "No, it has lapsed.")
    )
    filled = prefill(heard, prepare(read))
    assert filled.rows["CSV"].contradicted_at == 3
    assert seek(read, filled.rows) == ()


def test_vectors_that_are_not_as_many_as_texts_are_refused() -> None:
    packed = pack_vectors([(0.5, 0.25, 0.0)] * 2)
    assert unpack_vectors(packed, 2) == [(0.5, 0.25, 0.0)] * 2
    assert unpack_vectors(b"", 0) == []
    for wrong in (4, 0):
        with pytest.raises(ValueError, match="vectors of one size"):
            unpack_vectors(packed, wrong)
