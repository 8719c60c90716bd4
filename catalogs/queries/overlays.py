"""Overlays beside stored versions: the base that one is laid over, and texts that may be either."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from catalogs.core.document import Document
from catalogs.core.document.plain import date_or_none, table_of
from catalogs.core.overlay import Loaded, Overlay, load_catalog, written
from catalogs.models import CatalogVersion, VersionState, VersionTrial
from catalogs.queries.documents import document_of
from oipsce_site.people.models import Site


def base_of(overlay: Overlay) -> CatalogVersion | None:
    """Return the version that decides of the base and major that an overlay names: the published
    one in force on the overlay's first day. None where there is none.
    """
    first = date_or_none(table_of(overlay.data, "effective"), "from")
    if first is None:
        return None
    return deciding_version(overlay.base_slug, overlay.base_major, first)


def deciding_version(slug: str, major: int, on: date) -> CatalogVersion | None:
    """Return the published version of a catalog and major that decides on a day."""
    rows = _deciding().filter(
        Q(effective_to__isnull=True) | Q(effective_to__gte=on),
        catalog__slug=slug,
        version__startswith=f"{major}.",
        effective_from__lte=on,
        overlay__isnull=True,
    )
    return rows.defer("source").order_by("-effective_from").first()


def _deciding() -> QuerySet[CatalogVersion]:
    """Return the published versions that decide by their days: those on trial do not, and nothing
    is laid over them.
    """
    on_trial = VersionTrial.objects.filter(version=OuterRef("pk"), ended_at=None)
    return CatalogVersion.objects.filter(~Exists(on_trial), state=VersionState.PUBLISHED)


def load_text(source: bytes, today: date) -> tuple[Loaded, UUID | None]:
    """Read a text that is a catalog or an overlay; the second is the version of its base."""
    base_id: UUID | None = None

    def find(overlay: Overlay) -> Document | None:
        nonlocal base_id
        version = base_of(overlay)
        if version is None:
            return None
        base_id = version.pk
        return document_of(version.digest)

    return load_catalog(source, find, today=today), base_id


def whole_text(source: bytes, today: date) -> bytes:
    """Return a text as a whole catalog: an overlay merged with its base, any other as it is.

    What cannot be read is returned as it is; whoever reads it says what is wrong.
    """
    loaded, _ = load_text(source, today)
    if loaded.overlay is None or loaded.document is None:
        return source
    try:
        return written(loaded.document)
    except ValueError:
        return source


@dataclass(frozen=True, slots=True)
class OverlayLine:
    """Where an overlay's version stands: its base (slug, number) with the document, and the number
    of the base's version in force today where that is another one, else empty.
    """

    base: tuple[str, str]
    base_document: Document
    newer: str


def overlay_of_version(version_id: UUID, today: date) -> OverlayLine | None:
    """Return what is said of a version that was merged from an overlay; None for any other."""
    row = (
        CatalogVersion.objects.select_related("base__catalog")
        .defer("source", "overlay", "base__source", "base__overlay")
        .filter(pk=version_id, overlay__isnull=False)
        .first()
    )
    if row is None or row.base is None:
        return None
    base = row.base
    newest = newest_of(base.catalog_id, max(today, row.effective_from))
    return OverlayLine(
        base=(base.catalog.slug, base.version),
        base_document=document_of(base.digest),
        newer="" if newest is None or newest.pk == base.pk else newest.version,
    )


def newest_of(catalog_id: UUID, on: date) -> CatalogVersion | None:
    """Return the version of a catalog, of any major, that decides on a day."""
    rows = _deciding().filter(
        Q(effective_to__isnull=True) | Q(effective_to__gte=on),
        catalog_id=catalog_id,
        effective_from__lte=on,
    )
    return rows.defer("source").order_by("-effective_from").first()


@dataclass(frozen=True, slots=True)
class OverlayChoices:
    """What an author may begin an overlay of: published catalogs by id, and sites by short name."""

    bases: tuple[tuple[UUID, str], ...]
    sites: tuple[tuple[str, str], ...]


def overlay_choices() -> OverlayChoices:
    """Return the whole catalogs that decide and the sites in use, in two queries."""
    found = _deciding().filter(overlay__isnull=True).select_related("catalog").defer("source")
    sites = Site.objects.filter(retired_at=None).values_list("slug", "name")
    return OverlayChoices(
        tuple((row.pk, f"{row.catalog.slug} {row.version}") for row in found),
        tuple(sites),
    )


def newest_base(version_id: UUID, on: date) -> str | None:
    """Return what an overlay's version would extend on a day, `slug@major`; None for any other."""
    base = CatalogVersion.objects.filter(overlays=version_id).defer("source").first()
    newest = None if base is None else newest_of(base.catalog_id, on)
    if newest is None:
        return None
    return f"{newest.catalog.slug}@{newest.version.partition('.')[0]}"


def overlays_of_base(catalog_id: UUID) -> QuerySet[CatalogVersion]:
    """Return the published versions laid over any version of a catalog."""
    return CatalogVersion.objects.filter(
        base__catalog_id=catalog_id, state=VersionState.PUBLISHED
    ).select_related("catalog")
