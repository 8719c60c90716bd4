"""Whether a row says something that can be believed; a row that cannot is unknown, never a pass
(S4, S7-S9).
"""

from __future__ import annotations

from review.core.predicates.codes import Code
from review.core.rows import NEVER, UNKNOWN, Row, Verdict, fold_points

_PASS = Verdict.PASS  # bound once: a look-up of an enum member goes through its metaclass


def fault_of(row: Row, *, may_volunteer: bool) -> Code | None:
    """Return the code of the first thing that makes the row unusable, or None.

    `may_volunteer` is the phase's policy on content given before its start. Sources: engine.md S4
    (verdict 0 with a finish and no contradiction), S7 (pass without a finish), S8 (pass without
    evidence), S9 (finish before start, or without one). A roll-up has the fault of its first faulty
    instance, unless another instance has failed for certain.
    """
    start, finish, verdict = row.start, row.finish, row.verdict
    if row.instances:
        proven = verdict is Verdict.FAIL
        return None if proven else _first_fault(row.instances, may_volunteer=may_volunteer)
    if not isinstance(finish, int):
        return Code.V1_WITHOUT_FINISH if verdict is _PASS else None
    early = finish < start if isinstance(start, int) else start is NEVER
    if early and not (row.volunteered and may_volunteer):
        return Code.E_BEFORE_S
    if verdict is _PASS:
        return None if row.evidence else Code.NO_EVIDENCE
    settled = row.revoked_at is not None or row.contradicted_at is not None
    return Code.V0_WITH_FINISH if verdict is Verdict.FAIL and not settled else None


def believed(row: Row, *, may_volunteer: bool, ended: bool) -> Row:
    """Return the row as far as it can be believed: its instances are checked and rolled up again.

    Otherwise a pass without evidence, a finish before its start, or a NEVER of a running call would
    hide behind the instances beside it.
    """
    if not row.instances:
        return row
    checked = [_credible(one, may_volunteer=may_volunteer) for one in row.instances]
    folded = fold_points(row.phase, tuple(checked if ended else [_open(one) for one in checked]))
    # One instance that failed for certain settles the verdict, whatever is open in the others.
    unsettled = None if folded.verdict is Verdict.FAIL else folded.contradicted_at
    if unsettled == folded.contradicted_at and folded.instances == row.instances:
        return folded
    return folded._replace(instances=row.instances, contradicted_at=unsettled)


def _credible(row: Row, *, may_volunteer: bool) -> Row:
    """Make unknown what a fault or an unsettled contradiction leaves open."""
    fault = fault_of(row, may_volunteer=may_volunteer)
    if fault is None and row.contradicted_at is None:
        return row
    start = UNKNOWN if fault is Code.E_BEFORE_S else row.start
    return row._replace(start=start, finish=UNKNOWN, verdict=Verdict.UNKNOWN, clear_through=None)


def _open(row: Row) -> Row:
    """Only an ended call has NEVER."""
    start = UNKNOWN if row.start is NEVER else row.start
    finish = UNKNOWN if row.finish is NEVER else row.finish
    return row._replace(start=start, finish=finish)


def _first_fault(instances: tuple[Row, ...], *, may_volunteer: bool) -> Code | None:
    for one in instances:
        fault = fault_of(one, may_volunteer=may_volunteer)
        if fault is not None:
            return fault
    return None
