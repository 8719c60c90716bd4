"""The page of one catalog version as one value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from catalogs.core.document import Document
from catalogs.models import CalibrationKind
from catalogs.presenters.findings import CodeGroup, group_findings
from catalogs.presenters.marks import Mark, rehearsal_mark
from catalogs.presenters.order import OrderEdge, edges_of
from catalogs.presenters.order_picture import OrderPicture, draw_order
from catalogs.presenters.phase_cards import PhaseCard, critical_rule, show_phases
from catalogs.presenters.rehearsal import ShownRehearsal, show_rehearsal
from catalogs.presenters.requirements import condition_words
from catalogs.presenters.sources import ShownSource, show_sources
from catalogs.presenters.version_words import (
    RiskClass,
    days_words,
    plural,
    risk_class,
    state_tone,
    state_words,
    window_words,
)
from catalogs.queries import (
    CalibrationLine,
    Outline,
    Step,
    StoredVersion,
    VersionLine,
    outline_of,
)


@dataclass(frozen=True, slots=True)
class Pair:
    """A name and its value; a long one takes the whole width."""

    name: str
    value: str
    is_long: bool = False


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """One edge in the table that says the same as the picture."""

    parent: str
    child: str
    is_critical: bool
    rule: str
    rationale: str


@dataclass(frozen=True, slots=True)
class OtherVersion:
    """Another version of the same catalog."""

    id: UUID
    version: str
    state: str
    state_tone: str
    window: str
    rehearsal: Mark


@dataclass(frozen=True, slots=True)
class Content:
    """Everything that is read from the document. `picture` is None for an order with a cycle,
    which `cycle` then names.
    """

    risk: RiskClass
    counts: str
    facts: tuple[Pair, ...]
    sources: tuple[ShownSource, ...]
    picture: OrderPicture | None
    cycle: str
    edges: tuple[EdgeRow, ...]
    cards: tuple[PhaseCard, ...]
    findings: tuple[CodeGroup, ...]
    found: str
    change: str
    judges: str


@dataclass(frozen=True, slots=True)
class VersionPage:
    """The page. Without `content` the stored text cannot be read."""

    id: UUID
    slug: str
    title: str
    version: str
    state: str
    state_tone: str
    window: str
    days: str
    is_tried: bool
    was_tried: bool
    digest: str
    last_step: str
    life: tuple[str, ...]
    calibration: str
    calibrations: tuple[str, ...]
    content: Content | None
    rehearsal: ShownRehearsal | None
    others: tuple[OtherVersion, ...]


def show_version(stored: StoredVersion) -> VersionPage:
    """Draw a version."""
    line = stored.line
    return VersionPage(
        id=line.id,
        slug=line.slug,
        title=stored.document.title if stored.document else line.title,
        version=line.version,
        state=state_words(line.state, line.trial),
        state_tone=state_tone(line.state, line.trial),
        window=window_words(line.effective_from, line.effective_to),
        days=days_words(line.effective_from, line.effective_to, line.trial),
        is_tried=line.trial is not None,
        was_tried=line.was_tried,
        digest=line.digest,
        last_step=_step(stored.steps[-1]),
        life=tuple(_step(step) for step in stored.steps),
        calibration=_standing(stored.calibrations),
        calibrations=tuple(_calibration(one) for one in stored.calibrations),
        content=_content(stored.document, stored) if stored.document else None,
        rehearsal=show_rehearsal(stored.rehearsal) if stored.rehearsal else None,
        others=tuple(_other(other) for other in stored.others),
    )


def _content(document: Document, stored: StoredVersion) -> Content:
    edges = edges_of(document)
    outline = outline_of(document, stored.findings)
    picture, cycle = _picture(document, edges)
    return Content(
        risk=risk_class(outline.critical, outline.grounds),
        counts=(
            f"{plural(outline.phases, 'phase')}, {plural(outline.edges, 'edge')}, "
            f"{outline.critical} critical"
        ),
        facts=tuple(_facts(document)),
        sources=show_sources(document.sources, document),
        picture=picture,
        cycle=cycle,
        edges=tuple(_edge_row(edge, document) for edge in edges),
        cards=show_phases(document, edges),
        findings=group_findings(stored.findings),
        found=_found(outline),
        change=_change(document),
        judges=condition_words(document.applies_to) if document.applies_to else "",
    )


def _picture(document: Document, edges: Sequence[OrderEdge]) -> tuple[OrderPicture | None, str]:
    try:
        return draw_order(document, edges), ""
    except ValueError as knot:
        return None, str(knot)


def _edge_row(edge: OrderEdge, document: Document) -> EdgeRow:
    if edge.critical is not None:
        rule, why = critical_rule(edge, document), edge.critical.rationale
    elif edge.implied:
        rule, why = f"follows from {' → '.join(edge.implied)}; not drawn", ""
    else:
        rule, why = "advice: shown beside a call, never decides", ""
    return EdgeRow(edge.parent, edge.child, edge.critical is not None, rule, why)


def _facts(document: Document) -> Iterator[Pair]:
    speakers = "; ".join(f"{role}: {who}" for role, who in document.speakers.items())
    yield Pair("Speakers", speakers, is_long=True)
    if document.languages:
        yield Pair("Languages", ", ".join(document.languages))
    clock = "each turn has its own time" if document.clock_exact else "several turns share a time"
    yield Pair("Clock", clock)
    owner = document.data.get("owner")
    if isinstance(owner, dict) and owner.get("name"):
        yield Pair("Owner", str(owner["name"]))
    review = document.data.get("review_by")
    if isinstance(review, date):
        yield Pair("To be reviewed by", review.isoformat())


def _change(document: Document) -> str:
    """Return what the changelog says of this version, empty if it says nothing."""
    log = document.data.get("changelog")
    for entry in log if isinstance(log, list) else []:
        if isinstance(entry, Mapping) and entry.get("version") == document.version:
            return str(entry.get("change") or "")
    return ""


def _found(outline: Outline) -> str:
    if not outline.errors and not outline.warnings:
        return "Lint has nothing to say of this text."
    stops = " An error stops publishing." if outline.errors else ""
    return f"{plural(outline.errors, 'error')}, {plural(outline.warnings, 'warning')}.{stops}"


def _step(step: Step) -> str:
    return f"{step.verb} by {step.by} on {step.at.date().isoformat()}"


def _calibration(line: CalibrationLine) -> str:
    what = "waived" if line.kind == CalibrationKind.WAIVER else "recorded"
    reason = f": {line.reason}" if line.reason else ""
    return f"{what} by {line.by} on {line.at.date().isoformat()}{reason}"


def _standing(lines: Sequence[CalibrationLine]) -> str:
    """Say in two words whether raters were found to agree, a report before any waiver."""
    kinds = {line.kind for line in lines}
    if CalibrationKind.REPORT in kinds:
        return "calibrated"
    return "calibration waived" if kinds else "not calibrated"


def _other(line: VersionLine) -> OtherVersion:
    return OtherVersion(
        id=line.id,
        version=line.version,
        state=state_words(line.state, line.trial),
        state_tone=state_tone(line.state, line.trial),
        window=window_words(line.effective_from, line.effective_to),
        rehearsal=rehearsal_mark(line.is_green),
    )
