"""*Read again*: anchors, items and phases of another version over the stored words of a call.

It is the pre-fill itself, without a model, so what comes out is what the version would propose;
what people decided is kept over it. Nothing is stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from catalogs.core.document import Scalar
from review.core.cascade.pipeline import Cascade, prefill, scalar_attributes
from review.core.decisions import Base
from review.core.evaluation.judging import read_roles
from review.core.predicates import Decision, Outcome, decide
from review.core.rows import Absent, Point, Row, Verdict
from review.core.transcript import Call
from review.core.whatif.changes import Change, Compared, Turned, change_between
from review.core.whatif.keeping import Decided, keep_decisions

_NOTHING: frozenset[str] = frozenset()


class Standing(NamedTuple):
    """A row as it stands: start, finish and verdict."""

    start: Point
    finish: Point
    verdict: Verdict


class Stored(NamedTuple):
    """A call with its words and what stands of it; `decided` is None where nobody has decided."""

    id: str
    call: Call
    signed: bool
    outcome: Outcome
    rows: Mapping[str, Standing]
    decided: Decided | None = None


class Reread(NamedTuple):
    """A call as another version reads it; `touched` and `lost` are as in `Kept`."""

    rows: Mapping[str, Row]
    facts: Mapping[str, Scalar]
    decision: Decision
    touched: frozenset[str] = _NOTHING
    lost: tuple[str, ...] = ()


def reread(cascade: Cascade, call: Call, decided: Decided | None = None) -> Reread:
    """Read a call by a version and keep what people decided.

    Without decisions the rows, facts and decision are those of `judge_call`.
    """
    mapped, _ = read_roles(call, cascade)
    filled = prefill(mapped, cascade)
    if decided is None:
        return Reread(filled.rows, filled.facts, filled.decision)
    read = Base(filled.rows, filled.facts)
    kept = keep_decisions(cascade.document, read, decided, ended=mapped.ended)
    decision = decide(
        cascade.plan,
        kept.rows,
        facts=kept.facts,
        attributes=scalar_attributes(mapped),
        ended=mapped.ended,
    )
    return Reread(kept.rows, kept.facts, decision, kept.touched, kept.lost)


def read_again(cascade: Cascade, stored: Stored) -> Compared:
    """Read a stored call by another version, and compare it row by row with what stands."""
    read = reread(cascade, stored.call, stored.decided)
    decision = read.decision
    change = change_between(stored.outcome, decision.call_success)
    return Compared(
        stored.id,
        stored.signed,
        change,
        stored.outcome,
        decision.call_success,
        _turned(stored.rows, read.rows),
        () if change is Change.SAME else _edges_not_kept(decision),
        _to_annotate(stored, read),
        read.lost,
    )


def row_words(row: Standing | Row) -> str:
    """Say a row in numbers and codes.

    >>> (
    ...     row_words(Standing(12, 14, Verdict.PASS)),
    ...     row_words(Standing(*(Absent.NEVER,) * 2, Verdict.FAIL)),
    ... )
    ('turn 12 to 14, pass', 'never, fail')
    """
    if row.start is row.finish and isinstance(row.start, Absent):
        return f"{row.start.value}, {row.verdict.value}"
    return f"turn {_point(row.start)} to {_point(row.finish)}, {row.verdict.value}"


def _turned(before: Mapping[str, Standing], after: Mapping[str, Row]) -> tuple[Turned, ...]:
    """Return the rows that come out otherwise, in the new order, then those that are no more."""
    turned: list[Turned] = []
    for phase, row in after.items():
        was = before.get(phase)
        if was is None:
            turned.append(Turned(phase, _turn(row), "", row_words(row)))
        elif was != (row.start, row.finish, row.verdict):
            turned.append(Turned(phase, _turn(row) or _turn(was), row_words(was), row_words(row)))
    gone = [(phase, was) for phase, was in before.items() if phase not in after]
    return (*turned, *(Turned(phase, _turn(was), row_words(was), "") for phase, was in gone))


def _edges_not_kept(decision: Decision) -> tuple[Turned, ...]:
    return tuple(
        Turned(
            f"{one.rule.parent}→{one.rule.child}",
            one.child_start if isinstance(one.child_start, int) else None,
            "",
            one.code.value,
        )
        for one in decision.edges
        if one.ok is not True
    )


def _to_annotate(stored: Stored, read: Reread) -> tuple[str, ...]:
    """Return the phases that are owed, were not open so far, and are open now."""
    owed = {one.phase for one in read.decision.phases if one.required is not False}
    opened = {
        phase
        for phase, row in read.rows.items()
        if phase in owed
        and row.verdict is Verdict.UNKNOWN
        and (phase not in stored.rows or stored.rows[phase].verdict is not Verdict.UNKNOWN)
    }
    return tuple(phase for phase in read.rows if phase in opened or phase in read.lost)


def _turn(row: Standing | Row) -> int | None:
    return next((one for one in (row.start, row.finish) if isinstance(one, int)), None)


def _point(point: Point) -> str:
    return point.value if isinstance(point, Absent) else str(point)
