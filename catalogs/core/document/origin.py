"""Where a merged catalog comes from: its base, the overlay, and what of it is the overlay's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from catalogs.core.document.model import Document
from catalogs.core.document.plain import Table, table_of, text_of, texts_of


@dataclass(frozen=True, slots=True)
class Origin:
    """The base by name and digest, the overlay's digest, and the sites (by slug) it is for.

    `phases`, `items` (by phase) and `edges` (critical parents by child) are the overlay's own; they
    enter no rate that compares sites (domain 5.5).
    """

    base_slug: str
    base_version: str
    base_digest: str
    overlay_digest: str
    sites: tuple[str, ...]
    phases: tuple[str, ...]
    items: Mapping[str, tuple[str, ...]]
    edges: Mapping[str, tuple[str, ...]]


def origin_of(document: Document) -> Origin | None:
    """Return where a merged document comes from, None for one that is no merger."""
    written = document.data.get("overlay")
    if not isinstance(written, dict):
        return None
    base = table_of(written, "base")
    return Origin(
        base_slug=text_of(base, "catalog"),
        base_version=text_of(base, "version"),
        base_digest=text_of(base, "digest"),
        overlay_digest=text_of(written, "digest"),
        sites=texts_of(written, "sites"),
        phases=texts_of(written, "phases"),
        items=_lists(table_of(written, "items")),
        edges=_lists(table_of(written, "edges")),
    )


def slug_of_base(document: Document) -> str:
    """Return the slug that calls were judged by before this document: its base's, or its own."""
    origin = origin_of(document)
    return document.slug if origin is None else origin.base_slug


def _lists(table: Table) -> dict[str, tuple[str, ...]]:
    return {name: texts_of(table, name) for name in table}
