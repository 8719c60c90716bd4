"""Rows built anew from proposals and decisions: what is stored must come out, or is put right."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from oipsce_site.ledger.actors import worker
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About
from oipsce_site.ledger.record import record
from review.actions.proposals import row_columns
from review.actions.refolding import judge_folded, project_folded
from review.actions.sealed import unseal_call
from review.core.evaluation import Judged
from review.models import Call, PhaseRow
from review.queries.folded import Folded, load_folded, row_marks


def rebuild_rows(*, call_id: UUID, by: str, at: datetime) -> tuple[str, ...]:
    """Build the rows of a call anew and store those that came out otherwise; returns their phases.

    Only a repair leaves an entry in the log. `by` is the program. Raises Call.DoesNotExist.
    """
    with transaction.atomic():
        stored = (
            Call.objects.select_for_update(of=("self",))
            .select_related("catalog_version")
            .get(pk=call_id)
        )
        differing = _differing(stored)
        if differing is None or not differing[2]:
            return ()
        folded, judged, phases = differing
        project_folded(stored, folded, judged)
        named: list[Value] = list(phases)
        record(
            chain_id=stored.id,
            about=About.CALL,
            kind="rows.rebuild",
            by=worker(by),
            at=at,
            facts={"phases": named, "run_id": str(folded.run.id), "decisions": len(folded.made)},
        )
    return phases


def differing_rows(call_id: UUID) -> tuple[str, ...]:
    """Return the phases whose stored row is not what proposals and decisions make; stores nothing.

    Raises Call.DoesNotExist.
    """
    differing = _differing(Call.objects.select_related("catalog_version").get(pk=call_id))
    return () if differing is None else differing[2]


def _differing(stored: Call) -> tuple[Folded, Judged, tuple[str, ...]] | None:
    folded = load_folded(stored)
    if folded is None:
        return None
    judged = judge_folded(unseal_call(stored), folded)
    built: dict[str, dict[str, Any]] = {
        row.phase: {**row_columns(row), **row_marks(folded, row.phase), "position": position}
        for position, row in enumerate(judged.report.rows)
    }
    names = ("phase", *next(iter(built.values()), {}))
    there = {row.pop("phase"): row for row in PhaseRow.objects.filter(call=stored).values(*names)}
    phases = tuple(phase for phase, row in built.items() if there.get(phase) != row)
    return folded, judged, phases
