"""What a call has before something is projected onto its rows."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from django.db import connection

from review.models import PhaseRow, PrefillRun, RunState

# The count alone where the call has no rows yet.
_STANDING = (
    "SELECT done.runs, stands.phase, stands.position, stands.flags, "  # noqa: S608 - our names
    f"stands.touched_at IS NOT NULL FROM (SELECT count(*) AS runs FROM {PrefillRun._meta.db_table} "
    f"WHERE call_id = %(call)s AND state = '{RunState.DONE}') AS done "
    f"LEFT JOIN {PhaseRow._meta.db_table} AS stands ON stands.call_id = %(call)s "
    "ORDER BY stands.position"
)


class Standing(NamedTuple):
    """What a call has: its finished pre-fills, the flags of its rows, and which rows are touched.

    `flags` are by phase, in the order of the rows.
    """

    runs: int
    flags: dict[str, list[str]]
    touched: frozenset[str]


def load_standing(call_id: UUID) -> Standing:
    """Return what a call has now, in one query."""
    with connection.cursor() as cursor:
        cursor.execute(_STANDING, {"call": call_id})
        found = cursor.fetchall()
    rows = [row for row in found if row[1] is not None]
    return Standing(
        runs=found[0][0],
        flags={phase: flags for _, phase, _, flags, _ in rows},
        touched=frozenset(phase for _, phase, _, _, touched in rows if touched),
    )
