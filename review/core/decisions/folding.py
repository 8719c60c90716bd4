"""The fold: proposals and decisions, in order -> the rows and facts as they are shown.

Pure and total: the same proposals and decisions give the same rows, one by one or all at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from catalogs.core.document import Document, Scalar
from review.core.decisions.changing import change_row
from review.core.decisions.history import standing_decisions
from review.core.decisions.kinds import Decision, FactValue, Kind
from review.core.rows import Row, Verdict


class Standing(Enum):
    """What people say of a row as a whole: nothing yet, that it stands, or that they doubt it."""

    PROPOSED = "PROPOSED"
    CONFIRMED = "CONFIRMED"
    DOUBTED = "DOUBTED"


class Base(NamedTuple):
    """What the machine proposes: a row for each phase, and the facts."""

    rows: Mapping[str, Row]
    facts: Mapping[str, Scalar]


class Grounds(NamedTuple):
    """What the fold asks of catalog and call: phases at a critical edge; whether the call ended."""

    critical: frozenset[str]
    ended: bool


class RowShown(NamedTuple):
    """One row as shown, beside what was `proposed`. Who set start and finish is in their sources.

    - `changers` have set values of it; `seconded_by` is a senior reviewer who is none of them and
      confirmed the row since.
    - `touched` stays when everything is undone: from then on no pre-fill replaces the row.
    - `last` is the number of the latest decision that stands, comments left out; 0 without any.
    """

    proposed: Row
    row: Row
    critical: bool
    standing: Standing = Standing.PROPOSED
    decided_by: str | None = None
    verdict_by: str | None = None
    changers: frozenset[str] = frozenset()
    seconded_by: str | None = None
    touched: bool = False
    last: int = 0

    @property
    def needs_second(self) -> bool:
        """Whether a second person must confirm the row before the call can be signed."""
        return self.critical and self.seconded_by is None and is_grave(self.proposed, self.row)


class Shown(NamedTuple):
    """Rows and facts as shown; `facts_by` names the person behind each fact that one has set."""

    rows: Mapping[str, RowShown]
    facts: Mapping[str, Scalar]
    facts_by: Mapping[str, str]


def grounds_of(document: Document, *, ended: bool | None) -> Grounds:
    """Return the grounds of a call judged by this catalog."""
    edges = [(edge.parent, phase.id) for phase in document.phases for edge in phase.critical]
    return Grounds(frozenset([end for edge in edges for end in edge]), ended is True)


def fold(base: Base, decisions: Sequence[Decision], grounds: Grounds) -> Shown:
    """Fold all decisions of a call, in the order of their numbers, over what was proposed."""
    shown = Shown(
        {phase: RowShown(row, row, phase in grounds.critical) for phase, row in base.rows.items()},
        dict(base.facts),
        {},
    )
    for decision in standing_decisions(decisions):
        shown = apply_decision(shown, decision, grounds)
    touched = {one.phase for one in decisions if one.kind is not Kind.COMMENT}
    return shown._replace(
        rows={phase: row._replace(touched=phase in touched) for phase, row in shown.rows.items()}
    )


def apply_decision(shown: Shown, decision: Decision, grounds: Grounds) -> Shown:
    """Apply one further decision that is no undo; an undo needs the whole history: `fold` it."""
    if isinstance(decision.value, FactValue) and decision.fact is not None:
        return shown._replace(
            facts={**shown.facts, decision.fact: decision.value.value},
            facts_by={**shown.facts_by, decision.fact: decision.by},
        )
    phase = decision.phase
    if phase not in shown.rows or phase is None or decision.kind is Kind.COMMENT:
        return shown
    return shown._replace(rows={**shown.rows, phase: _decide(shown.rows[phase], decision, grounds)})


def _decide(before: RowShown, decision: Decision, grounds: Grounds) -> RowShown:
    by = decision.by
    now = before._replace(
        row=change_row(before.row, decision, ended=grounds.ended),
        decided_by=by,
        standing=standing_of(before.standing, decision),
        touched=True,
        last=decision.number,
    )
    if decision.kind is Kind.DOUBT:
        return now
    if decision.kind is Kind.CONFIRM:
        is_second = decision.senior and by not in before.changers
        return now._replace(seconded_by=by if is_second else before.seconded_by)
    says_verdict = decision.kind in _OF_VERDICT or now.row.verdict is not before.row.verdict
    return now._replace(
        changers=before.changers | {by},
        seconded_by=None,
        verdict_by=by if says_verdict else before.verdict_by,
    )


_OF_VERDICT = (Kind.SET_FINISH, Kind.SET_VERDICT)


def standing_of(before: Standing, decision: Decision) -> Standing:
    """Return how a row stands after a decision: only a senior reviewer settles a doubt."""
    if decision.kind is Kind.DOUBT:
        return Standing.DOUBTED
    if before is Standing.DOUBTED and not decision.senior:
        return Standing.DOUBTED
    return Standing.CONFIRMED


def is_grave(proposed: Row, row: Row) -> bool:
    """Say whether a row starts later than an anchor says, or has its verdict turned round (4.5).

    Items of a per-item phase are compared one by one.
    """
    if not proposed.instances:
        return _starts_later(proposed, row) or _is_flipped(proposed, row)
    now = {one.key: one for one in row.instances or ()}
    return any(is_grave(one, now.get(one.key, one)) for one in proposed.instances)


def _starts_later(proposed: Row, row: Row) -> bool:
    anchors = [attempt.turn for attempt in proposed.attempts]
    if isinstance(proposed.start, int) and not proposed.inferred:
        anchors.append(proposed.start)
    if not anchors or row.start == proposed.start:
        return False
    return not isinstance(row.start, int) or row.start > min(anchors)


def _is_flipped(proposed: Row, row: Row) -> bool:
    return {proposed.verdict, row.verdict} == {Verdict.PASS, Verdict.FAIL}
