"""Reports and calls in the fewest words, for the tests of presenters."""

from __future__ import annotations

from dataclasses import replace

from review.core.evaluation import EdgeReport, EvidenceReport, Report, RowReport
from review.core.evaluation.report import CatalogName, DecidedBy, FlagReport, PointText
from review.core.transcript import Call, Event, Source, Speaker, Turn, TurnKind

_ROW = RowReport(
    phase="PID",
    name="Patient identification",
    required=True,
    reason="PID is required and passed.",
    code="PASSED",
    ok=True,
    blocked_by=None,
    start=None,
    finish=None,
    verdict="unknown",
    mode=None,
    volunteered=False,
    inferred=False,
    evidence=(),
    items=(),
    attempts=(),
    instances=(),
    flags=(),
    decided_by=DecidedBy(None, None, None),
)


def row(phase: str, start: PointText, finish: PointText, **changed: object) -> RowReport:
    """Return a row; its verdict follows from its finish unless it is said."""
    verdict = {None: "unknown", "never": "fail"}.get(
        finish if not isinstance(finish, int) else "", "pass"
    )
    made = replace(_ROW, phase=phase, name=f"Name of {phase}", start=start, finish=finish)
    return replace(made, **{"verdict": verdict, **changed})  # type: ignore[arg-type]


def edge(
    parent: str,
    child: str,
    finish: PointText,
    start: PointText,
    ok: bool | None,
    **changed: object,
) -> EdgeReport:
    """Return a critical edge with the policy strict."""
    made = EdgeReport(
        parent=parent,
        child=child,
        item=None,
        critical=True,
        policy="<",
        scope="call",
        ok=ok,
        code="SAFE" if ok else "STARTED_BEFORE_PARENT_FINISHED",
        parent_finish=finish,
        child_start=start,
        why=f"{child} started at turn {start}.",
        would_pass=None if ok is not False else f"start of {child} after turn {finish}",
    )
    return replace(made, **changed)  # type: ignore[arg-type]


def report(*rows: RowReport, edges: tuple[EdgeReport, ...] = (), **changed: object) -> Report:
    """Return a report of an ended call that passes."""
    made = Report(
        call="c",
        ended=True,
        live="done",
        catalog=CatalogName("a-catalog", "1.0.0", "0" * 64),
        engine="oip-engine/1",
        rows=rows,
        facts={},
        edges=edges,
        findings=(),
        coverage="pass",
        order_safe="pass",
        call_success="pass",
        reasons=(),
        summary="Every required phase passed and no critical phase started too early.",
    )
    return replace(made, **changed)  # type: ignore[arg-type]


def evidence(
    turn: int, start: int, end: int, *, item: str = "it", event: str | None = None
) -> EvidenceReport:
    """Return a span of evidence."""
    return EvidenceReport(item, turn, start, end, "PID.accept.it.match[0]", event)


def flag(code: str, text: str = "Look at turn 2.") -> FlagReport:
    """Return a flag."""
    return FlagReport(code, text)


def call(*texts: str, events: tuple[Event, ...] = (), first: int = 1) -> Call:
    """Return an ended call whose turns are spoken by agent and patient in turn."""
    speakers = {
        "a": Speaker("a", "agent", "AI agent"),
        "p": Speaker("p", "patient", "Member"),
    }
    turns = tuple(
        Turn(number, "ap"[place % 2], ("agent", "patient")[place % 2], TurnKind.SPEECH, text)
        for place, (number, text) in enumerate(enumerate(texts, first))
    )
    source = Source("oip-call/1", "c", "0" * 64)
    return Call("c", "A call", {}, speakers, turns, events, True, source)
