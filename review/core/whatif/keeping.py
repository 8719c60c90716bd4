"""What people decided on a call, kept under another catalog version where phase and item are there
still (design 4.6).

A phase whose acceptance items are the same keeps its row exactly as it stands. Where items came or
went, the row is read anew and what was decided on what is still there is applied to it; a person's
pass says nothing of an item that nobody had asked about, so the row is then open, not passed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from catalogs.core.document import Document, Phase, Scalar
from review.core.decisions import (
    Base,
    Decision,
    FactValue,
    ItemValue,
    Kind,
    Span,
    fold,
    grounds_of,
    standing_decisions,
)
from review.core.rows import Row, Verdict

_ABOUT_ITEMS = (ItemValue, Span)


class Decided(NamedTuple):
    """What people decided on a call: the catalog they decided by, the proposals they saw, and their
    decisions in the order of their numbers.
    """

    document: Document
    base: Base
    decisions: Sequence[Decision]


class Kept(NamedTuple):
    """Rows and facts with what could be kept. `touched` are the phases that people have decided,
    and `lost` those of them where something could not be kept.
    """

    rows: Mapping[str, Row]
    facts: Mapping[str, Scalar]
    touched: frozenset[str]
    lost: tuple[str, ...]


def keep_decisions(document: Document, read: Base, decided: Decided, *, ended: bool | None) -> Kept:
    """Fold what people decided over what another version's reading of the call proposes.

    By the same version again it is what stands: nothing is lost.
    """
    standing = standing_decisions(decided.decisions)
    touched = {one.phase for one in decided.decisions if one.kind is not Kind.COMMENT}
    before = {phase.id: phase for phase in decided.document.phases}
    phases = {phase.id: phase for phase in document.phases}
    same = {
        name
        for name in touched
        if name in phases and name in before and _items(phases[name]) == _items(before[name])
    }
    rows = {
        phase: decided.base.rows[phase] if phase in same and phase in decided.base.rows else row
        for phase, row in read.rows.items()
    }
    kept = [one for one in standing if _holds(one, document, decided.document, same)]
    shown = fold(Base(rows, read.facts), kept, grounds_of(document, ended=ended))
    still = {one.phase for one in standing if one.kind is not Kind.COMMENT}
    other = {one for one in still if one in phases and one not in same}
    return Kept(
        {
            phase: _without_guess(one.row, read.rows[phase]) if phase in other else one.row
            for phase, one in shown.rows.items()
        },
        shown.facts,
        frozenset(name for name in touched if name is not None and name in phases),
        tuple(name for name in phases if name in other),
    )


def _items(phase: Phase) -> frozenset[str]:
    return frozenset(item.id for item in phase.accept)


def _holds(one: Decision, document: Document, before: Document, same: Collection[str]) -> bool:
    """Say whether a decision is about something that is there still."""
    if one.fact is not None:
        now, was = document.facts.get(one.fact), before.facts.get(one.fact)
        return (
            isinstance(one.value, FactValue)
            and now is not None
            and was is not None
            and now.type == was.type
        )
    phase = next((each for each in document.phases if each.id == one.phase), None)
    if phase is None or one.phase in same:
        return phase is not None
    return not isinstance(one.value, _ABOUT_ITEMS) or one.value.item in _items(phase)


def _without_guess(row: Row, read: Row) -> Row:
    """Open a row that people passed, where the reading finds less than that."""
    if row.verdict is Verdict.PASS and read.verdict is not Verdict.PASS:
        shown = {item.id for item in row.items if item.met}
        if not row.items or any(item.id not in shown for item in row.items):
            return row._replace(verdict=Verdict.UNKNOWN)
    return row
