"""The call page as one value: banner, picture, transcript, rows, and what stands beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from catalogs.core.document import Document
from catalogs.core.findings import Finding as ImportFinding
from review.core.evaluation import EdgeReport, Report, focus_turn
from review.core.transcript import Call
from review.presenters.banner import Banner, EdgeSentence, edge_sentence, show_banner
from review.presenters.catalog_link import CatalogLink
from review.presenters.hues import hues_of
from review.presenters.lanes import LanesPicture, draw_lanes
from review.presenters.marks import NEUTRAL, Mark, holds_mark
from review.presenters.places import ShownPoint, show_point
from review.presenters.progress import progress_words, rows_to_confirm
from review.presenters.requirement import value_words
from review.presenters.rows import NOBODY, People, PhaseRow, show_rows
from review.presenters.segments import MaskedSpan
from review.presenters.standing import Standing
from review.presenters.transcript import Transcript, show_transcript

_FIGURES = {
    "cds": "Critical edges satisfied",
    "psa": "Phase sequence agreement",
    "ord": "Edges in order",
    "apc": "Attempts that led to a pass",
    "coverage_alone": "Coverage alone",
    "order_safe_alone": "OrderSafe alone",
}


@dataclass(frozen=True, slots=True)
class Edge:
    """One edge of the order, critical (◆) or advice."""

    name: str
    critical: bool
    item: str
    mark: Mark
    finish: ShownPoint
    policy: str
    start: ShownPoint
    sentence: EdgeSentence


@dataclass(frozen=True, slots=True)
class Fact:
    """Something the call yielded; an open one is not known yet."""

    name: str
    value: str
    meaning: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class Finding:
    """What the import or the cascade has to say about the transcript."""

    code: str
    severity: str
    where: str
    text: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that never decides."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Evaluated:
    """Everything that exists only for an evaluated call. `edges` decide, `advice` never does.

    `progress` says how far its reviewers are, and `rest` are the rows that may be confirmed
    together.
    """

    banner: Banner
    picture: LanesPicture | None
    rows: tuple[PhaseRow, ...]
    flagged: int
    progress: str
    rest: tuple[PhaseRow, ...]
    edges: tuple[Edge, ...]
    advice: tuple[Edge, ...]
    facts: tuple[Fact, ...]
    figures: tuple[Figure, ...]
    engine: str
    digest: str


@dataclass(frozen=True)
class CallPage:
    """The page of one call. Without `evaluated`, the standing says what is awaited."""

    title: str
    external_id: str
    date: str
    turn_count: int
    catalog: CatalogLink | None
    standing: Standing
    draw_transcript: Callable[[], Transcript]
    findings: tuple[Finding, ...]
    evaluated: Evaluated | None

    @cached_property
    def transcript(self) -> Transcript:
        """All turns; an answer that changes no value shows none, so it draws none."""
        return self.draw_transcript()


def show_call(  # noqa: PLR0913 - what is known of a call beside its words
    call: Call,
    standing: Standing,
    *,
    report: Report | None = None,
    document: Document | None = None,
    findings: Iterable[ImportFinding] = (),
    people: People = NOBODY,
    masks: Mapping[int, Sequence[MaskedSpan]] | None = None,
) -> CallPage:
    """Draw a call. `findings` are those of the import, for a call that has no report yet; `people`
    is what was decided on its rows; `masks` say by turn which identifiers are masked.
    """
    hues = hues_of(row.phase for row in report.rows) if report else {}
    rows = report.rows if report else ()
    return CallPage(
        title=call.title or call.id,
        external_id=call.source.external_id or call.id,
        date=call.date.isoformat() if call.date else "",
        turn_count=len(call.turns),
        catalog=CatalogLink(report.catalog.slug, report.catalog.version) if report else None,
        standing=standing,
        draw_transcript=lambda: show_transcript(
            call, rows, hues, focal=focus_turn(report) if report else None, masks=masks
        ),
        findings=_findings(report, findings),
        evaluated=_evaluated(call, report, document, dict(hues), people, standing)
        if report and document
        else None,
    )


def _findings(report: Report | None, findings: Iterable[ImportFinding]) -> tuple[Finding, ...]:
    """A report repeats the findings of the import and adds its own."""
    if report is not None:
        return tuple(
            Finding(one.code, one.severity, one.where, one.text) for one in report.findings
        )
    return tuple(Finding(one.code, one.severity.value, one.where, one.text) for one in findings)


def _evaluated(
    call: Call,
    report: Report,
    document: Document,
    hues: dict[str, int],
    people: People,
    standing: Standing,
) -> Evaluated:
    numbers = [turn.number for turn in call.turns]
    turns = frozenset(numbers)
    rows = show_rows(call, report, document, hues, people)
    edges = _edges(report.edges, document, turns)
    return Evaluated(
        banner=show_banner(report, document, turns),
        picture=draw_lanes(report, numbers, hues),
        rows=rows,
        flagged=sum(1 for row in rows if row.flags),
        # A signed call waits for nobody, and is not ready to be signed.
        progress=progress_words(rows) if standing.provisional else "",
        rest=rows_to_confirm(rows),
        edges=tuple(edge for edge in edges if edge.critical),
        advice=tuple(edge for edge in edges if not edge.critical),
        facts=_facts(report, document),
        figures=tuple(
            Figure(_FIGURES.get(name, name), value or NEUTRAL)
            for name, value in report.diagnostics.items()
        ),
        engine=report.engine,
        digest=report.catalog.digest[:12],
    )


def _edges(
    edges: Sequence[EdgeReport], document: Document, turns: frozenset[int]
) -> tuple[Edge, ...]:
    return tuple(
        Edge(
            name=f"{edge.parent} → {edge.child}",
            critical=edge.critical,
            item=edge.item or "",
            mark=_edge_mark(edge),
            finish=show_point(edge.parent_finish),
            policy=edge.policy,
            start=show_point(edge.child_start),
            sentence=edge_sentence(edge, document, turns),
        )
        for edge in edges
    )


def _edge_mark(edge: EdgeReport) -> Mark:
    if edge.critical:
        return holds_mark(edge.ok)
    # Advice out of order is worth a look and decides nothing: never in red.
    words = ("in order", "not in order", "not known")
    mark = holds_mark(edge.ok, words)
    return Mark(NEUTRAL if edge.ok is False else mark.sign, mark.word, "muted")


def _facts(report: Report, document: Document) -> tuple[Fact, ...]:
    return tuple(
        Fact(
            name=name,
            value=value_words(value),
            meaning=document.facts[name].meaning if name in document.facts else "",
            is_open=value is None,
        )
        for name, value in report.facts.items()
    )
