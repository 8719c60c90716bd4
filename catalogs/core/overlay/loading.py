"""Reading a text that is a catalog or an overlay of one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from catalogs.core.document import Document, load_document
from catalogs.core.document.checking import is_overlay
from catalogs.core.document.complaint import Complaint
from catalogs.core.document.reading import read
from catalogs.core.findings import Finding
from catalogs.core.overlay.form import Overlay, load_overlay
from catalogs.core.overlay.merging import merge

__all__ = ["FindBase", "Loaded", "Overlay", "load_catalog", "load_overlay"]

FindBase = Callable[[Overlay], Document | None]
"""Finds the base that an overlay names; None where there is none."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A text with its document (the merged one of an overlay) and what was found on the way.

    `overlay` and `base` are None for a whole catalog.
    """

    document: Document | None
    findings: tuple[Finding, ...]
    overlay: Overlay | None = None
    base: Document | None = None


def load_catalog(data: bytes, find_base: FindBase, *, today: date | None = None) -> Loaded:
    """Read a catalog, or an overlay together with its base. Findings have the lines of the text
    that was given. Never raises for bad input.
    """
    if not is_overlay(read(data).value):
        return Loaded(*load_document(data))
    overlay, findings = load_overlay(data)
    if overlay is None:
        return Loaded(None, findings)
    base = find_base(overlay)
    if base is None:
        said = f"there is no version {overlay.base_major}.x.y of {overlay.base_slug} to lay it over"
        missing = overlay.found([Complaint("E616", "extends", f"{said}; correct the name")])
        return Loaded(None, (*findings, *missing), overlay)
    document, merging = merge(base, overlay, today=today)
    return Loaded(document, (*findings, *merging), overlay, base)
