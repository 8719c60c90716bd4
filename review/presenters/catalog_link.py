"""The catalog version that judges a call, as a link to its page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CatalogLink:
    """A catalog and its version."""

    slug: str
    version: str


def link_catalog(words: str | None) -> CatalogLink | None:
    """Read "slug version" as lists name a version; None for a call without one.

    >>> link_catalog("benefits-verification 2.0.0")
    CatalogLink(slug='benefits-verification', version='2.0.0')
    """
    if words is None:
        return None
    slug, _, version = words.partition(" ")
    return CatalogLink(slug, version)
