"""Builds the report of a call from what the cascade found: decision, sentences, diagnostics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction

from catalogs.core.document import CriticalEdge, Document, Phase, Scalar, Scope
from catalogs.core.findings import Finding
from catalogs.core.requirements import free_facts
from review.core import diagnostics
from review.core.cascade.pipeline import Prefill
from review.core.decisions import PERSON
from review.core.evaluation.live import live_state
from review.core.evaluation.report import (
    ENGINE_VERSION,
    AttemptReport,
    CatalogName,
    DecidedBy,
    EdgeReport,
    EvidenceReport,
    FindingReport,
    FlagReport,
    InstanceReport,
    ItemReport,
    PointText,
    Report,
    RowReport,
)
from review.core.predicates import (
    Decision,
    EdgeOutcome,
    Outcome,
    PhaseOutcome,
    explain_call,
    explain_edge,
    explain_phase,
    would_pass,
)
from review.core.rows import NEVER, Absent, Attempt, Evidence, ItemState, Point, Row, Verdict
from review.core.transcript import Call

Names = Mapping[str, str]


def build_report(
    call: Call,
    document: Document,
    filled: Prefill,
    *,
    engine: str = ENGINE_VERSION,
    findings: Iterable[Finding] = (),
) -> Report:
    """Make the record of an evaluation. `findings` are those of the import; the cascade's own are
    added.
    """
    names = {phase.id: phase.name for phase in document.phases}
    decision = filled.decision
    outcomes = {outcome.phase: outcome for outcome in decision.phases}
    return Report(
        call=call.id,
        ended=call.ended,
        live=live_state(decision, filled.rows).value,
        catalog=CatalogName(document.slug, document.version, document.digest),
        engine=engine,
        rows=tuple(_row(phase, filled, outcomes[phase.id], names) for phase in document.phases),
        facts={name: _plain(value) for name, value in filled.facts.items()},
        edges=_edges(document, filled, names),
        findings=tuple(_finding(finding) for finding in (*findings, *filled.findings)),
        coverage=decision.coverage.value,
        order_safe=decision.order_safe.value,
        call_success=decision.call_success.value,
        reasons=tuple(code.value for code in decision.reasons),
        summary=explain_call(decision),
        diagnostics=_diagnostics(document, filled.rows, decision),
    )


def point_text(point: Point) -> PointText:
    """Write a point as people script against it: a turn number, "never", or None for unknown."""
    if isinstance(point, Absent):
        return "never" if point is NEVER else None
    return point


def _row(phase: Phase, filled: Prefill, outcome: PhaseOutcome, names: Names) -> RowReport:
    row = filled.rows[phase.id]
    return RowReport(
        phase=phase.id,
        name=phase.name,
        required=outcome.required,
        reason=_reason(phase, outcome, filled, names),
        code=outcome.code.value,
        ok=outcome.ok,
        blocked_by=outcome.blocked_by,
        start=point_text(row.start),
        finish=point_text(row.finish),
        verdict=row.verdict.value if outcome.fault is None else Verdict.UNKNOWN.value,
        mode=row.mode.value if row.mode else None,
        volunteered=row.volunteered,
        inferred=row.inferred,
        evidence=tuple(_evidence(piece) for piece in row.evidence),
        items=tuple(_item(state) for state in row.items),
        attempts=tuple(_attempt(attempt) for attempt in row.attempts),
        instances=tuple(_instance(instance) for instance in row.instances or ()),
        flags=tuple(FlagReport(flag.code.value, flag.text) for flag in filled.flags[phase.id]),
        decided_by=_decided_by(row),
        graded=_graded(phase, row),
    )


def _reason(phase: Phase, outcome: PhaseOutcome, filled: Prefill, names: Names) -> str:
    """Say how the phase counts; where a fact switched it off, name the fact and its value."""
    sentence = explain_phase(outcome, names)
    if outcome.required is not False or phase.required.when is None:
        return sentence
    read = [name for name in free_facts(phase.required.when) if filled.facts.get(name) is not None]
    values = ", ".join(f"{name} = {_word(filled.facts[name])}" for name in read)
    return f"{sentence} ({values})" if values else sentence


def _word(value: Scalar) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _decided_by(row: Row) -> DecidedBy:
    start = _by("inferred" if row.inferred else "anchor", row.start_source)
    finish = _by("rule", row.finish_source)
    return DecidedBy(
        start, finish, None if row.verdict is Verdict.UNKNOWN else finish or "rule:not found"
    )


def _by(how: str, source: str | None) -> str | None:
    return source if source is None or source.startswith(PERSON) else f"{how}:{source}"


def _instance(row: Row) -> InstanceReport:
    return InstanceReport(
        row.key or "", point_text(row.start), point_text(row.finish), row.verdict.value
    )


def _item(state: ItemState) -> ItemReport:
    candidates = tuple(_evidence(piece) for piece in state.candidates)
    return ItemReport(
        state.id, state.met, state.turn, state.acknowledged, state.volunteered, candidates
    )


def _evidence(piece: Evidence) -> EvidenceReport:
    return EvidenceReport(piece.item, piece.turn, piece.start, piece.end, piece.source, piece.event)


def _attempt(attempt: Attempt) -> AttemptReport:
    return AttemptReport(attempt.turn, attempt.source, attempt.start, attempt.end, attempt.event)


def _finding(finding: Finding) -> FindingReport:
    return FindingReport(finding.code, finding.severity.value, finding.where, finding.text)


def _plain(value: Scalar) -> str | int | bool | None:
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Decimal) and value == value.to_integral_value():
        return int(value)
    return format(value, "f") if isinstance(value, Decimal) else value.isoformat()


def _edges(document: Document, filled: Prefill, names: Names) -> tuple[EdgeReport, ...]:
    decided = {(edge.rule.parent, edge.rule.child): edge for edge in filled.decision.edges}
    found: list[EdgeReport] = []
    for phase in document.phases:
        critical = {edge.parent: edge for edge in phase.critical}
        for parent in phase.parents:
            if parent in critical:
                found.append(
                    _critical_edge(phase, critical[parent], decided[parent, phase.id], names)
                )
            else:
                found.append(_advisory_edge(phase, parent, filled.rows))
    return tuple(found)


def _critical_edge(
    phase: Phase, edge: CriticalEdge, outcome: EdgeOutcome, names: Names
) -> EdgeReport:
    return EdgeReport(
        parent=edge.parent,
        child=phase.id,
        item=outcome.item,
        critical=True,
        policy=phase.precedence.value,
        scope=edge.scope.value,
        ok=outcome.ok,
        code=outcome.code.value,
        parent_finish=point_text(outcome.parent_finish),
        child_start=point_text(outcome.child_start),
        why=explain_edge(outcome, names, rationale=edge.rationale),
        would_pass=would_pass(outcome),
    )


def _advisory_edge(phase: Phase, parent: str, rows: Mapping[str, Row]) -> EdgeReport:
    ok = diagnostics.advisory_outcome((parent, phase.id), rows)
    word = "in order" if ok else "not in order" if ok is False else "not known"
    return EdgeReport(
        parent=parent,
        child=phase.id,
        item=None,
        critical=False,
        policy=phase.precedence.value,
        scope=Scope.CALL.value,
        ok=ok,
        code="ADVISORY",
        parent_finish=point_text(rows[parent].finish),
        child_start=point_text(rows[phase.id].start),
        why=f"{parent} before {phase.id} is advice, not a critical edge: {word}.",
        would_pass=None,
    )


def _diagnostics(
    document: Document, rows: Mapping[str, Row], decision: Decision
) -> dict[str, str | None]:
    """Write the figures that never decide; a share with open terms reads ``low..high``."""
    cds = diagnostics.critical_dependency_share([edge.ok for edge in decision.edges])
    both_alone = {"coverage_alone": decision.coverage, "order_safe_alone": decision.order_safe}
    return {
        "cds": _interval(cds, len(decision.edges)) if cds else None,
        "psa": _fraction(diagnostics.phase_sequence_agreement(document.edges, rows)),
        "ord": _fraction(diagnostics.order_ratio(document.edges, rows)),
        "apc": _fraction(diagnostics.attempt_phase_consistency(rows)),
        **{name: _alone(outcome) for name, outcome in both_alone.items()},
    }


def _alone(outcome: Outcome) -> str:
    return outcome.value


def _graded(phase: Phase, row: Row) -> str | None:
    if phase.graded_tau is None:
        return None
    score = diagnostics.graded(row, phase.graded_tau)
    if score is None:
        return None
    interval, reached = score
    word = "reached" if reached else "not reached" if reached is False else "open"
    differs = diagnostics.differs_from_verdict(reached, row.verdict)
    remark = ", unlike the verdict" if differs else ""
    return f"{_interval(interval, 0)} of items, tau {phase.graded_tau}: {word}{remark}"


def _interval(interval: diagnostics.Interval, over: int) -> str:
    low, high = _share(interval.low, over), _share(interval.high, over)
    return low if low == high else f"{low}..{high}"


def _share(value: Fraction, over: int) -> str:
    """Write a share over its own number of terms (0/1, not 0), so that the reader sees how many
    there were.
    """
    return f"{value * over}/{over}" if over else f"{value.numerator}/{value.denominator}"


def _fraction(value: Fraction | None) -> str | None:
    return None if value is None else f"{value.numerator}/{value.denominator}"
