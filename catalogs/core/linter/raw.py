"""What an author wrote, for the rules that must tell a default from a written value."""

from __future__ import annotations

from collections.abc import Mapping

from catalogs.core.document import Document


def raw_phase(document: Document, index: int) -> Mapping[str, object]:
    """Return a phase as written, over the document's own defaults."""
    phases = document.data.get("phases")
    written = phases[index] if isinstance(phases, list) else None
    defaults = document.data.get("defaults")
    base: dict[str, object] = dict(defaults) if isinstance(defaults, dict) else {}
    return {**base, **written} if isinstance(written, dict) else base


def raw_rows(document: Document, key: str) -> list[Mapping[str, object]]:
    """Return the mappings of a list at the top of the document as written."""
    rows = document.data.get(key)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
