"""From a parsed call to its report in one step: map the speakers, pre-fill, decide, explain."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from catalogs.core.findings import Finding
from review.core.cascade.pipeline import Cascade, Prefill, prefill
from review.core.evaluation.building import build_report
from review.core.evaluation.report import Report
from review.core.transcript import Call, apply_role_map, propose_role_map


@dataclass(frozen=True, slots=True)
class Judged:
    """A call with the roles it was read with, what the cascade found, and the report."""

    call: Call
    filled: Prefill
    report: Report


def judge_call(call: Call, cascade: Cascade, *, findings: Iterable[Finding] = ()) -> Judged:
    """Judge one call against one prepared catalog. `findings` of the import go into the report.

    Speakers whose role the catalog does not declare are mapped only where that is unambiguous;
    words of any other are not read, and the rows say so.
    """
    mapped, open_roles = read_roles(call, cascade)
    filled = prefill(mapped, cascade)
    report = build_report(mapped, cascade.document, filled, findings=(*findings, *open_roles))
    return Judged(mapped, filled, report)


def read_roles(call: Call, cascade: Cascade) -> tuple[Call, tuple[Finding, ...]]:
    """Return the call with the roles it is read with, and findings about those that are open."""
    roles, open_roles = propose_role_map(call, frozenset(cascade.document.speakers))
    return apply_role_map(call, roles), tuple(open_roles)
