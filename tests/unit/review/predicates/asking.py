"""How a row of the table of decisions asks the product: short, whole answers."""

import json
from typing import Any

import pytest

from catalogs.core.document import load_document
from catalogs.core.linter import guard
from review.core.evaluation import ENGINE_VERSION, build_report, report_to_json
from review.core.evidence.spans import cut
from review.core.predicates import Decision
from review.core.predicates.plan import EdgeRule
from review.core.rows import Row, roll_up
from tests.unit.review.predicates.plain_calls import decided, edge, phase, plan, row
from tests.unit.review.predicates.tiny_catalogs import (
    HEAD,
    call,
    catalog,
    catalog_bytes,
    event,
    filled,
    gated,
)
from tests.unit.review.predicates.tiny_catalogs import phase as written

EDGE = edge("PID", "CSV")
GOOD = row("PID", 45, 52, 1)
LATER = row("CSV", 60, 81, 1)


def short(decision: Decision) -> tuple[object, str, str]:
    """Write a decision as edge, its code and CallSuccess."""
    first = decision.edges[0]
    return first.ok, first.code.value, decision.call_success.value


def two(*rows: Row, rule: EdgeRule = EDGE, **phases: Any) -> tuple[object, str, str]:
    """Judge PID -> CSV; `pid` and `csv` add to the phases."""
    rules = [phase("PID", **phases.get("pid", {})), phase("CSV", **phases.get("csv", {}))]
    return short(decided(plan(rules, [rule]), rows))


def terms(decision: Decision) -> list[tuple[str, object, str]]:
    """Write every phase's term of Coverage."""
    return [(one.phase, one.ok, one.code.value) for one in decision.phases]


def consent(start: int, kind: str) -> tuple[object, str, str]:
    """Judge a disclosure after a consent (10) that was taken back at 60."""
    parent = {
        "revoked": row("PID", 5, 10, 0, revoked_at=60),
        "void": row("PID", 5, "N", 0),
        "not said": row("PID", 5, 10, 1, contradicted_at=60),
    }[kind]
    return two(parent, row("CSV", start, start + 5, 1))


def rows_found(document_phases: list[dict[str, Any]], *turns: Any, **more: Any) -> Any:
    """Return (start, finish, verdict) of every row that the cascade finds, and the decision."""
    found = filled(catalog(*document_phases), call(*turns, **more))
    rows = {name: (one.start, one.finish, one.verdict.value) for name, one in found.rows.items()}
    return {**rows, "edges": [(one.ok, one.code.value) for one in found.decision.edges]}


def load_codes(*phases: dict[str, Any], head: str = HEAD, swap: tuple[str, str] = ("", "")) -> Any:
    """Return whether a catalog loads, and the codes of what every load checks."""
    data = catalog_bytes(phases, head).replace(swap[0].encode(), swap[1].encode())
    return load_document(data)[0] is not None, [finding.code for finding in guard(data)]


def drugs(scope: str) -> tuple[object, str, str]:
    """Judge two drugs, asked one after the other."""
    rules = [phase("DFV", per_item=True), phase("DRC", per_item=True)]
    parent = roll_up("DFV", (row("DFV", 82, 85, 1, key="d1"), row("DFV", 95, 99, 1, key="d2")))
    child = roll_up("DRC", (row("DRC", 90, 92, 1, key="d1"), row("DRC", 100, 101, 1, key="d2")))
    rule = edge("DFV", "DRC", per_item=scope == "item")
    return short(decided(plan(rules, [rule]), [parent, child]))


def overlap() -> Any:
    """Let the child's turn begin 0.8 s before the parent's ends."""
    return rows_found(
        [written("PID"), gated("CSV", "PID")],
        (51, "agent", "PID", 10.0, 14.0),
        (52, "agent", "CSV", 13.2, 15.0),
    )["edges"]


def between(tool: str, **at: float) -> Any:
    """Place an event between turns 52 and 53, or inside turn 52."""
    matched = [{"id": "dob", "text": "Matched.", "match": [{"tool": "id.match"}]}]
    found = rows_found(
        [written("PID", accept=matched), written("CSV", starts=[{"tool": "eligibility"}])],
        (52, "agent", "PID", 52.0, 52.2),
        (53, "agent", "CSV", 53.0, 53.5),
        events=[event(tool, **at)],
    )
    return found["PID"][1] if tool == "id.match" else found["CSV"][0]


def chain(pid: tuple[Any, ...]) -> list[tuple[str, object, str]]:
    """Judge CSV required by PID and DFV required by CSV, neither of them started."""
    rules = [phase("PID"), phase("CSV", "PID passed"), phase("DFV", "CSV passed")]
    never = [row(name, "N", "N", 0) for name in ("CSV", "DFV")]
    return terms(decided(plan(rules), [row("PID", *pid), *never]))


def half(*rows: Row) -> tuple[object, str, str]:
    """Judge a call whose end is not confirmed."""
    rules = plan([phase("PID"), phase("CSV")], [EDGE])
    return short(decided(rules, rows, ended=None))


def listed(result: Any) -> list[str]:
    """Return the codes of findings, each once."""
    return sorted({finding.code for finding in result})


def rebuilt() -> list[bytes]:
    """Evaluate the same bytes twice, everything built anew; return both reports as JSON."""
    reports = []
    for _ in range(2):
        document = catalog(written("PID"), gated("CSV", "PID"))
        one = call((1, "agent", "CSV"), (2, "agent", "PID"))
        report = build_report(one, document, filled(document, one), engine=ENGINE_VERSION)
        reports.append(json.dumps(report_to_json(report), ensure_ascii=False).encode())
    return reports


def identity() -> Any:
    """Return what names the result of a report."""
    document = catalog(written("PID"))
    one = call((1, "agent", "PID"))
    report = build_report(one, document, filled(document, one), engine="oip-engine/9")
    return report.engine, report.catalog.digest == document.digest


def refused_quote(start: int, end: int) -> str:
    """Cut a quote that does not lie inside its turn."""
    with pytest.raises(ValueError, match="does not lie inside"):
        cut("born in May", start, end)
    return "refused"
