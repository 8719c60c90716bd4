"""Drafts as pages show them. Whoever reads versions before publication reads drafts."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import QuerySet

from catalogs.models import CatalogVersion, Draft, DraftText, VersionState


@dataclass(frozen=True, slots=True)
class DraftLine:
    """One draft in a list. `handed_in` is its version as slug, number and state, if it has one."""

    id: UUID
    title: str
    current: int
    by: str
    changed_at: datetime
    started_from: str
    handed_in: tuple[str, str, str] | None


@dataclass(frozen=True, slots=True)
class TextLine:
    """One text of a draft without its bytes."""

    number: int
    is_aside: bool
    brought_back: int | None
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class StoredDraft:
    """A draft with the text that stands; `started_from` is the version it follows."""

    line: DraftLine
    source: bytes
    catalog_key: UUID
    started_from: UUID | None
    version_id: UUID | None


def reads_drafts(states: Collection[str]) -> bool:
    """Say whether somebody who may read versions in these states may read drafts."""
    return VersionState.DRAFT.value in states


def list_drafts(states: Collection[str]) -> tuple[DraftLine, ...]:
    """Return all drafts, the last changed first, in one query."""
    if not reads_drafts(states):
        return ()
    return tuple(_line(row) for row in _rows())


def get_draft_for(states: Collection[str], draft_id: UUID) -> StoredDraft | None:
    """Return a draft with the text that stands, in two queries; None for who may not read it."""
    row = _rows().filter(pk=draft_id).first() if reads_drafts(states) else None
    if row is None:
        return None
    source = row.texts.values_list("source", flat=True).get(number=row.current)
    return StoredDraft(
        line=_line(row),
        source=bytes(source),
        catalog_key=row.catalog_key,
        started_from=row.started_from_id,
        version_id=row.version_id,
    )


def list_texts(draft_id: UUID) -> tuple[TextLine, ...]:
    """Return the texts of a draft, the newest first, without their bytes."""
    rows = DraftText.objects.filter(draft_id=draft_id).select_related("written_by").defer("source")
    return tuple(
        TextLine(
            row.number, row.is_aside, row.brought_back, row.written_by.printed_name, row.written_at
        )
        for row in rows.order_by("-number")
    )


def get_text(draft_id: UUID, number: int) -> bytes | None:
    """Return the exact bytes of one text of a draft, None for a number that was never given."""
    rows = DraftText.objects.filter(draft_id=draft_id, number=number)
    source = rows.values_list("source", flat=True).first()
    return None if source is None else bytes(source)


def numbers_taken(version_id: UUID) -> tuple[str, ...]:
    """Return the numbers of all versions of a version's catalog."""
    catalog = CatalogVersion.objects.filter(pk=version_id).values("catalog_id")
    rows = CatalogVersion.objects.filter(catalog_id__in=catalog)
    return tuple(rows.values_list("version", flat=True))


def draft_of_version(version_id: UUID) -> UUID | None:
    """Return the draft that was handed in as a version, None for one that had no draft."""
    return Draft.objects.filter(version_id=version_id).values_list("id", flat=True).first()


def _rows() -> QuerySet[Draft]:
    return Draft.objects.select_related(
        "created_by", "started_from__catalog", "version__catalog"
    ).defer("started_from__source", "version__source")


def _line(row: Draft) -> DraftLine:
    start, version = row.started_from, row.version
    return DraftLine(
        id=row.id,
        title=row.title,
        current=row.current,
        by=row.created_by.printed_name,
        changed_at=row.changed_at,
        started_from=f"{start.catalog.slug} {start.version}" if start else "",
        handed_in=(version.catalog.slug, version.version, version.state) if version else None,
    )
