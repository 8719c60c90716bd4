"""Whether a row says something that can be believed; a row that cannot is unknown, never a pass
(S4, S7-S9).
"""

from __future__ import annotations

from review.core.predicates.codes import Code
from review.core.rows import Row, Verdict


def fault_of(row: Row, *, may_volunteer: bool) -> Code | None:
    """Return the code of the first thing that makes the row unusable, or None.

    `may_volunteer` is the phase's policy on content given before its start. Sources: engine.md S4
    (verdict 0 with a finish and no contradiction), S7 (pass without a finish), S8 (pass without
    evidence), S9 (finish before start).
    """
    start, finish = row.start, row.finish
    if isinstance(finish, int):
        volunteered = row.volunteered and may_volunteer
        if isinstance(start, int) and finish < start and not volunteered:
            return Code.E_BEFORE_S
        if row.verdict is Verdict.FAIL and row.revoked_at is None and row.contradicted_at is None:
            return Code.V0_WITH_FINISH
        if row.verdict is Verdict.PASS and not row.evidence:
            return Code.NO_EVIDENCE
    elif row.verdict is Verdict.PASS:
        return Code.V1_WITHOUT_FINISH
    return None
