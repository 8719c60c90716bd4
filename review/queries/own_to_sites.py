"""What sites have of their own: figures across sites count what the base says, and nothing else.

A call judged by an overlay is judged by all that its base asks as well. So it enters the rates of
the base with the rows, items and edges of the base; what the overlay added is reported apart, under
the overlay's own name (domain 5.5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final
from uuid import UUID

from django.db.models import Q, QuerySet

from catalogs.core.document import Document
from catalogs.core.document.origin import origin_of
from catalogs.models import CatalogVersion, VersionState
from catalogs.queries import document_of

_STOOD: Final = (VersionState.PUBLISHED, VersionState.RETIRED)


def judged_by(slug: str) -> Q:
    """Return the condition for what was judged by a catalog, or by an overlay of it."""
    return Q(catalog_version__catalog__slug=slug) | Q(catalog_version__base__catalog__slug=slug)


def marks_of_overlays(slug: str) -> frozenset[str]:
    """Return the names of edges and items (`compliance.marks`) that overlays of a catalog added and
    no version of the catalog itself has.
    """
    stood = CatalogVersion.objects.filter(state__in=_STOOD)
    own = {name for one in _documents(stood.filter(base__catalog__slug=slug)) for name in _own(one)}
    if not own:
        return frozenset()
    base = stood.filter(catalog__slug=slug)
    return frozenset(own - {name for one in _documents(base) for name in _names(one)})


def phases_of_overlays(versions: Iterable[UUID] | None = None) -> list[str]:
    """Return what overlays added, as `VERSION PHASE`, of these versions or of all."""
    found = CatalogVersion.objects.filter(overlay__isnull=False)
    if versions is not None:
        found = found.filter(pk__in=list(versions))
    named: list[str] = []
    for version_id, digest in found.values_list("pk", "digest"):
        origin = origin_of(document_of(digest))
        named += [f"{version_id} {phase}" for phase in (origin.phases if origin else ())]
    return named


def _documents(versions: QuerySet[CatalogVersion]) -> Iterator[Document]:
    for digest in versions.values_list("digest", flat=True):
        yield document_of(digest)


def _own(document: Document) -> Iterator[str]:
    origin = origin_of(document)
    if origin is None:
        return
    for phase in document.phases:
        is_added = phase.id in origin.phases
        items = origin.items.get(phase.id, ())
        edges = origin.edges.get(phase.id, ())
        for item in phase.accept:
            if is_added or item.id in items:
                yield f"{phase.id}/{item.id}"
        for edge in phase.critical:
            if is_added or edge.parent in edges:
                yield f"{edge.parent}>{phase.id}"


def _names(document: Document) -> Iterator[str]:
    for phase in document.phases:
        yield from (f"{phase.id}/{item.id}" for item in phase.accept)
        yield from (f"{edge.parent}>{phase.id}" for edge in phase.critical)
