"""From rows that people have decided to their report: decide and flag them anew, read nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from review.core.cascade.pipeline import Cascade, Prefill, scalar_attributes, unread_turns
from review.core.cascade.triage import Seen, flag_rows
from review.core.decisions import PERSON, RowShown, Shown
from review.core.evaluation.building import build_report
from review.core.evaluation.judging import Judged, read_roles
from review.core.evaluation.report import FindingReport, RowReport
from review.core.evidence.instances import phases_without_list
from review.core.predicates import decide
from review.core.transcript import Call


def judge_shown(
    call: Call, cascade: Cascade, shown: Shown, *, findings: Iterable[FindingReport]
) -> Judged:
    """Judge rows and facts as they are shown; `findings` are those of the proposals' report.

    Requirements, edges and flags are those of the rows now; no matcher runs.
    """
    mapped, _ = read_roles(call, cascade)
    rows = {phase: one.row for phase, one in shown.rows.items()}
    decision = decide(
        cascade.plan,
        rows,
        facts=shown.facts,
        attributes=scalar_attributes(mapped),
        ended=mapped.ended,
    )
    document = cascade.document
    seen = Seen(
        rows, decision, phases_without_list(document, mapped), unread_turns(mapped, document)
    )
    filled = Prefill(rows, shown.facts, flag_rows(cascade.watched, seen), decision, ())
    report = build_report(mapped, document, filled)
    return Judged(
        mapped,
        filled,
        replace(
            report,
            rows=tuple(_named(row, shown.rows[row.phase]) for row in report.rows),
            findings=tuple(findings),
        ),
    )


def _named(row: RowReport, shown: RowShown) -> RowReport:
    """Name the person behind a verdict; those behind start and finish are in their sources."""
    if shown.verdict_by is None:
        return row
    by = replace(row.decided_by, verdict=f"{PERSON}{shown.verdict_by}")
    return replace(row, decided_by=by)
