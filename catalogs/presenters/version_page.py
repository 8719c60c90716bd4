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
    """A name and its value in the head. `is_code` sets the value in the type of the machine."""

    name: str
    value: str
    is_code: bool = False


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
    digest: str
    life: tuple[str, ...]
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
        state=state_words(line.state),
        state_tone=state_tone(line.state),
        window=window_words(line.effective_from, line.effective_to),
        digest=line.digest,
        life=tuple(_step(step) for step in stored.steps),
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
    if document.applies_to is not None:
        yield Pair("Judges calls where", condition_words(document.applies_to))
    yield Pair("Speakers", "; ".join(f"{k}: {v}" for k, v in document.speakers.items()))
    if document.languages:
        yield Pair("Languages", ", ".join(document.languages))
    yield Pair(
        "Clock", "each turn has its own time" if document.clock_exact else "turns share times"
    )
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


def _other(line: VersionLine) -> OtherVersion:
    return OtherVersion(
        version=line.version,
        state=state_words(line.state),
        state_tone=state_tone(line.state),
        window=window_words(line.effective_from, line.effective_to),
        rehearsal=rehearsal_mark(line.is_green),
    )
