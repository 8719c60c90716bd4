"""Candidates by wording beside the rules: how often the turn that people decided was among them.

All figures are of turns that people decided, of rows of calls that were searched, and give or take
one turn: a question and its answer stand beside each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from review.core.figures import Share, share_of
from review.core.report_card.cells import Place


class WordingCell(NamedTuple):
    """`number` decided starts or finishes of one phase that are alike.

    - `kept_back`: the row was read without its candidates until somebody decided it.
    - `by_rules`: the pre-fill had proposed that turn, or one beside it.
    - `searched`: the rules had left an item of the row open, so candidates were sought.
    - `by_wording`: one of the first three for it is that turn, or one beside it.
    """

    phase: str
    place: Place
    kept_back: bool
    by_rules: bool
    searched: bool
    by_wording: bool
    number: int


class WordingFigures(NamedTuple):
    """`rules` and `either` are shares of all decided turns, `wording` of those of rows that were
    searched.
    """

    rules: Share
    wording: Share
    either: Share


def wording_figures(cells: Iterable[WordingCell]) -> WordingFigures:
    """Return how often the rules, the candidates, and either of them had the decided turn."""
    every = rules = searched = wording = either = 0
    for one in cells:
        every += one.number
        rules += one.number * one.by_rules
        searched += one.number * one.searched
        wording += one.number * one.by_wording
        either += one.number * (one.by_rules or one.by_wording)
    return WordingFigures(
        share_of(rules, every), share_of(wording, searched), share_of(either, every)
    )
