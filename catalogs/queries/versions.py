"""Versions as lists and pages show them, in a fixed number of queries.

Which states a reader may see is `reach.readable_states`; the functions here take them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from catalogs.core.document import Document
from catalogs.core.document.trials import Trial
from catalogs.core.findings import Finding
from catalogs.models import (
    CalibrationReport,
    CatalogVersion,
    RehearsalReport,
    VersionState,
    VersionTrial,
)
from catalogs.queries.documents import document_of, trial_of, with_open_trial
from catalogs.queries.outlines import Outline, findings_of, outlines_of


@dataclass(frozen=True, slots=True)
class VersionLine:
    """One version in a list. `is_green` is its latest rehearsal, None without any; `outline` is
    None where the stored text cannot be read, and beside another version's page. `trial` is the
    one that goes on, and `was_tried` says that there was any.
    """

    id: UUID
    slug: str
    title: str
    version: str
    state: str
    digest: str
    effective_from: date
    effective_to: date | None
    is_green: bool | None
    outline: Outline | None
    trial: Trial | None = None
    was_tried: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a version's life: what was done, by whom (printed name), and when."""

    verb: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class RehearsalLine:
    """The latest rehearsal; `result` is plain JSON as the engine wrote it."""

    is_green: bool
    engine: str
    made_at: datetime
    result: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CalibrationLine:
    """A calibration of the text (REPORT) or its recorded waiver (WAIVER), with its reason."""

    kind: str
    reason: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class StoredVersion:
    """One version as its page shows it. `document` is None where the text cannot be read;
    `others` are the catalog's other versions in the states asked for, the newest first.
    """

    line: VersionLine
    steps: tuple[Step, ...]
    document: Document | None
    findings: tuple[Finding, ...]
    rehearsal: RehearsalLine | None
    calibrations: tuple[CalibrationLine, ...]
    others: tuple[VersionLine, ...]


def list_versions(states: Collection[str], today: date) -> tuple[VersionLine, ...]:
    """Return the versions in these states, by slug, the newest first, in two queries.

    Lint is of `today`: overdue reviews and ended waivers count.
    """
    rows = list(_annotated(_readable(states)))
    outlines = outlines_of([row.digest for row in rows], today)
    return tuple(_line(row, outlines) for row in rows)


def get_version_for(
    states: Collection[str], slug: str, version: str, today: date
) -> StoredVersion | None:
    """Return a version in one of these states, in four queries at most; None for any other."""
    same_catalog = list(_annotated(_readable(states).filter(catalog__slug=slug)))
    row = next((row for row in same_catalog if row.version == version), None)
    if row is None:
        return None
    document = _document(row.digest)
    return StoredVersion(
        line=_line(row, {}),
        steps=tuple(_steps(row)),
        document=document,
        findings=findings_of(row.digest, today) if document else (),
        rehearsal=latest_rehearsal(row.digest),
        calibrations=_calibrations(row.digest),
        others=tuple(_line(one, {}) for one in same_catalog if one.pk != row.pk),
    )


@dataclass(frozen=True, slots=True)
class VersionText:
    """A version by its names, with its exact bytes; `overlay` is what it was merged from, None for
    one that was written whole.
    """

    slug: str
    version: str
    source: bytes
    overlay: bytes | None


def get_version_by_id(states: Collection[str], version_id: UUID) -> VersionText | None:
    """Return the text of a version in one of these states, None for any other."""
    row = _readable(states).select_related("catalog").filter(pk=version_id).first()
    if row is None:
        return None
    overlay = None if row.overlay is None else bytes(row.overlay)
    return VersionText(row.catalog.slug, row.version, bytes(row.source), overlay)


def get_source_for(
    states: Collection[str], slug: str, version: str, *, of_overlay: bool = False
) -> bytes | None:
    """Return the stored bytes of a version in one of these states, None for any other;
    `of_overlay`: those of the overlay that it was merged from.
    """
    rows = _readable(states).filter(catalog__slug=slug, version=version)
    column = "overlay" if of_overlay else "source"
    source = rows.values_list(column, flat=True).first()
    return None if source is None else bytes(source)


def _readable(states: Collection[str]) -> QuerySet[CatalogVersion]:
    return CatalogVersion.objects.filter(state__in=states)


def _annotated(versions: QuerySet[CatalogVersion]) -> QuerySet[CatalogVersion, Any]:
    latest = _latest(OuterRef("digest")).values("is_green")[:1]
    people = ("created_by", "submitted_by", "published_by", "retired_by")
    tried = Exists(VersionTrial.objects.filter(version=OuterRef("pk")))
    return (
        with_open_trial(versions.select_related("catalog", *people))
        .defer("source", "overlay")
        .annotate(is_green=Subquery(latest), was_tried=tried)
        .order_by("catalog__slug", "-effective_from", "-created_at", "-version")
    )


def _latest(digest: Any) -> QuerySet[RehearsalReport]:
    return RehearsalReport.objects.filter(document_digest=digest).order_by("-made_at", "-id")


def _document(digest: str) -> Document | None:
    try:
        return document_of(digest)
    except ValueError:
        return None


def _line(row: Any, outlines: Mapping[str, Outline]) -> VersionLine:
    return VersionLine(
        id=row.id,
        slug=row.catalog.slug,
        title=row.catalog.title,
        version=row.version,
        state=row.state,
        digest=row.digest,
        effective_from=row.effective_from,
        effective_to=row.effective_to,
        is_green=row.is_green,
        outline=outlines.get(row.digest),
        trial=trial_of(row),
        was_tried=row.was_tried,
    )


def _steps(row: CatalogVersion) -> Iterator[Step]:
    yield Step("drafted", row.created_by.printed_name, row.created_at)
    for verb, by, at in (
        ("submitted", row.submitted_by, row.submitted_at),
        ("published", row.published_by, row.published_at),
        ("retired", row.retired_by, row.retired_at),
    ):
        if by is not None and at is not None:
            yield Step(verb, by.printed_name, at)


def latest_rehearsal(digest: str) -> RehearsalLine | None:
    """Return the latest rehearsal of exactly this text, None for one without any."""
    latest = _latest(digest).first()
    if latest is None:
        return None
    return RehearsalLine(latest.is_green, latest.engine, latest.made_at, latest.result)


def _calibrations(digest: str) -> tuple[CalibrationLine, ...]:
    rows = CalibrationReport.objects.filter(document_digest=digest).select_related("made_by")
    return tuple(
        CalibrationLine(row.kind, row.reason, row.made_by.printed_name, row.made_at)
        for row in rows.order_by("-made_at", "-id")
    )


def list_unrehearsed() -> list[UUID]:
    """Return the versions in review that no rehearsal stands for, those that wait longest first."""
    rehearsed = RehearsalReport.objects.filter(document_digest=OuterRef("digest"))
    waiting = CatalogVersion.objects.filter(~Exists(rehearsed), state=VersionState.IN_REVIEW)
    return list(waiting.order_by("submitted_at", "id").values_list("id", flat=True))
