"""Guard rule 16 in figures: what must be shown of a model, at the edge of each bound."""

from __future__ import annotations

from fractions import Fraction

import pytest

from review.core.agreement import cohen_kappa
from review.core.cascade.adjudication import Said
from review.core.figures import Share, share_of
from review.core.promotion import (
    Agreement,
    MeasuredRow,
    Proven,
    agreement_of,
    measured_calls,
    proven_from_json,
    proven_to_json,
    shortfalls,
)

ENOUGH = Agreement(103, 100, Fraction(9, 10), Fraction(4, 5), Fraction(1), share_of(73, 73))
STEADY = share_of(0, 189)

#: what differs from what is just enough, and the words of the one sentence that comes of it
SHORT: tuple[tuple[dict[str, object], Share, str], ...] = (
    ({"rows": 29}, STEADY, "29 signed rows"),
    ({"kappa": None, "low": None}, STEADY, "Kappa is not defined"),
    ({"low": None}, STEADY, "of one call"),
    ({"low": Fraction(79, 100)}, STEADY, "as low as 0.79"),
    ({"recall": share_of(0, 0)}, STEADY, "No row that people found left out"),
    # 72 of 72 are 94.9 % by Wilson's lower end, 73 of 73 are 95.0 %.
    ({"recall": share_of(72, 72)}, STEADY, "as few as 94.9%"),
    ({"recall": share_of(99, 103)}, STEADY, "the model found 99"),
    ({}, share_of(0, 0), "No check"),
    # 0 of 188 may be 2.002 %, 0 of 189 are 1.99 % at most.
    ({}, share_of(0, 188), "0 of 188 answers flipped"),
    ({}, share_of(3, 300), "3 of 300 answers flipped"),
)


def test_16_what_is_just_enough_is_enough() -> None:
    assert shortfalls(Proven(ENOUGH, STEADY)) == ()


@pytest.mark.parametrize(("change", "flips", "words"), SHORT)
def test_16_each_bound_by_itself_keeps_a_phase_in_shadow(
    change: dict[str, object], flips: Share, words: str
) -> None:
    proven = Proven(ENOUGH._replace(**change), flips)  # type: ignore[arg-type]
    [sentence] = shortfalls(proven)
    assert words in sentence


ROWS = (
    MeasuredRow("a", Said.PRESENT, True),
    MeasuredRow("a", Said.ABSENT, False),
    MeasuredRow("b", Said.ABSTAINED, False),
    MeasuredRow("c", Said.PRESENT, False),
)


def test_16_agreement_is_of_people_and_model_on_the_same_rows() -> None:
    every = [(0, 1, 2), (0, 0, 0), (1, 1, 2)]
    found = agreement_of(ROWS, every)
    table = [("P", "P"), ("A", "A"), ("X", "A"), ("P", "A")]
    assert found.kappa == cohen_kappa(table).value
    assert (found.rows, found.calls, measured_calls(ROWS)) == (4, 3, 3)
    # To abstain finds nothing: of three rows that were left out one was found.
    assert found.recall == share_of(1, 3)
    # By call: the draw of call a alone is all agreement, those of b and c are none.
    assert found.low is not None
    assert found.low < Fraction(1, 2)
    assert found.high is not None
    assert found.high > Fraction(9, 10)


def test_16_nothing_measured_proves_nothing() -> None:
    found = agreement_of((), ())
    assert (found.rows, found.kappa, found.low, found.recall) == (0, None, None, share_of(0, 0))
    assert len(shortfalls(Proven(found, share_of(0, 0)))) == 4


def test_figures_are_read_as_they_were_kept() -> None:
    proven = Proven(ENOUGH, share_of(3, 300))
    assert proven_from_json(proven_to_json(proven)) == proven
