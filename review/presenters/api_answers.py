"""What programs are answered, as JSON values: ids, codes, numbers and sentences, no word of a call.

The shapes are those of `review.api.schemas`; docs/api.md shows them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from catalogs.core.findings import Finding
from review.core.evaluation import EdgeReport, Report, RowReport
from review.queries.api_calls import CallStanding, RunningStanding

Plain = dict[str, Any]
_MOST_FINDINGS = 100


def show_running(running: RunningStanding, findings: Sequence[Finding] = ()) -> Plain:
    """Write a running call: its live state, with the reasons."""
    report = running.report
    return {
        "id": str(running.id),
        "external_id": running.external_id,
        "ended": running.has_ended,
        "turns": running.turns,
        "last_turn": running.last_turn,
        "state": None if report is None else report.live,
        "sentence": running.unjudged if report is None else report.summary,
        "reasons": [] if report is None else list(_reasons(report)),
        "verdict": None if report is None else show_verdict(report),
        "findings": show_findings(findings),
    }


def show_standing(standing: CallStanding) -> Plain:
    """Write a stored call: where it stands, its rows and its verdict."""
    report = standing.report
    return {
        "id": str(standing.id),
        "external_id": standing.external_id,
        "source": standing.source,
        "state": standing.state,
        "sentence": standing.sentence,
        "erased": standing.is_erased,
        "provisional": not standing.is_signed,
        "verdict": None if report is None else show_verdict(report),
    }


def show_verdict(report: Report) -> Plain:
    """Write what was decided, by which version, row by row and edge by edge."""
    return {
        "catalog": {
            "slug": report.catalog.slug,
            "version": report.catalog.version,
            "digest": report.catalog.digest,
        },
        "engine": report.engine,
        "coverage": report.coverage,
        "order_safe": report.order_safe,
        "call_success": report.call_success,
        "summary": report.summary,
        "rows": [_row(row) for row in report.rows],
        "edges": [_edge(edge) for edge in report.edges if edge.critical],
    }


def show_findings(findings: Iterable[Finding]) -> list[Plain]:
    """Write what is to say of what was handed in; of very many the first hundred."""
    return [
        {
            "code": one.code,
            "severity": one.severity.value,
            "where": one.where,
            "text": one.text,
        }
        for one in list(findings)[:_MOST_FINDINGS]
    ]


def _reasons(report: Report) -> Iterable[Plain]:
    """Yield what is violated, then what is open: first the order, then the phases."""
    for ok in (False, None):
        for edge in report.edges:
            if edge.critical and edge.ok is ok:
                yield {"code": edge.code, "about": f"{edge.parent}→{edge.child}", "text": edge.why}
    for row in report.rows:
        if row.ok is not True:
            yield {"code": row.code, "about": row.phase, "text": row.reason}


def _row(row: RowReport) -> Plain:
    return {
        "phase": row.phase,
        "required": row.required,
        "reason": row.reason,
        "code": row.code,
        "blocked_by": row.blocked_by,
        "start": row.start,
        "finish": row.finish,
        "verdict": row.verdict,
        "volunteered": row.volunteered,
        "items": [{"id": one.id, "met": one.met, "turn": one.turn} for one in row.items],
        "flags": [{"code": one.code, "text": one.text} for one in row.flags],
        "evidence": [
            {"item": one.item, "turn": one.turn, "start": one.start, "end": one.end}
            for one in row.evidence
        ],
    }


def _edge(edge: EdgeReport) -> Plain:
    return {
        "parent": edge.parent,
        "child": edge.child,
        "item": edge.item,
        "ok": edge.ok,
        "code": edge.code,
        "why": edge.why,
        "would_pass": edge.would_pass,
    }
