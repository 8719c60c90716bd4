"""The sources of a catalog: statutes, guidance, rules, and where an author inferred."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from catalogs.core.document import Document


@dataclass(frozen=True, slots=True)
class ShownSource:
    """One source: its id in the catalog, its kind in words, its citation, what it says."""

    id: str
    kind: str
    cite: str
    says: str


def show_sources(names: Iterable[str], document: Document) -> tuple[ShownSource, ...]:
    """Look sources up by their ids; an unknown id is left out (lint has a finding for it)."""
    return tuple(
        ShownSource(
            id=name,
            kind=str(document.sources[name]["kind"]).replace("_", " "),
            cite=str(document.sources[name]["cite"]),
            says=str(document.sources[name]["says"]),
        )
        for name in names
        if name in document.sources
    )
