"""What a call has before something is projected onto its rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection

from review.models import PhaseRow, PrefillRun, RunState

# The count alone where a call has no rows yet. OFFSET 0 has each call looked up by the index.
_STANDING = (
    "SELECT asked.call_id, (SELECT count(*) "  # noqa: S608 - our names
    f"FROM {PrefillRun._meta.db_table} AS run WHERE run.call_id = asked.call_id "
    f"AND run.state = '{RunState.DONE}'), stands.phase, stands.flags, "
    "stands.touched_at IS NOT NULL FROM unnest(%s::uuid[]) AS asked(call_id) "
    f"LEFT JOIN LATERAL (SELECT * FROM {PhaseRow._meta.db_table} AS own "
    "WHERE own.call_id = asked.call_id OFFSET 0) AS stands ON true ORDER BY stands.position"
)


class Standing(NamedTuple):
    """What a call has: its finished pre-fills, the flags of its rows, and which rows are touched.

    `flags` are by phase, in the order of the rows.
    """

    runs: int
    flags: dict[str, list[str]]
    touched: frozenset[str]


def load_standing(call_id: UUID) -> Standing:
    """Return what a call has now."""
    return load_standings([call_id])[call_id]


def load_standings(call_ids: Sequence[UUID]) -> dict[UUID, Standing]:
    """Return by call what each has now, in one query."""
    with connection.cursor() as cursor:
        cursor.execute(_STANDING, [list(call_ids)])
        found = cursor.fetchall()
    by_call: dict[UUID, list[tuple[Any, ...]]] = {call_id: [] for call_id in call_ids}
    for call_id, *row in found:
        by_call[call_id].append(tuple(row))
    return {call_id: _standing(rows) for call_id, rows in by_call.items()}


def _standing(found: Sequence[tuple[Any, ...]]) -> Standing:
    rows = [row for row in found if row[1] is not None]
    return Standing(
        runs=found[0][0],
        flags={phase: flags for _, phase, flags, _ in rows},
        touched=frozenset(phase for _, phase, _, touched in rows if touched),
    )
