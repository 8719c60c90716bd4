"""What is to be said of a text that is being written, kept for as long as it stands."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from uuid import UUID

from catalogs.core.document import Document
from catalogs.core.document.checking import is_overlay
from catalogs.core.document.reading import read
from catalogs.core.findings import Finding
from catalogs.core.linter import FATAL, is_fatal, lint, lint_against
from catalogs.core.overlay import load_catalog, load_overlay
from catalogs.models import CatalogVersion
from catalogs.queries.documents import document_of, document_of_version
from catalogs.queries.overlays import base_of

_KEPT = 32


@dataclass(frozen=True, slots=True)
class CheckedText:
    """A text with all that lint says of it, by line; no document where it has no meaning.

    Of an overlay the document is the merged one, with the overlay's lines, and `base` its base.
    """

    document: Document | None
    findings: tuple[Finding, ...]
    base: Document | None = None
    is_overlay: bool = False

    @property
    def runnable(self) -> Document | None:
        """Return the document where it has a meaning to run: no finding is fatal."""
        return None if is_fatal(self.findings) else self.document

    @property
    def hindrance(self) -> str:
        """Say which finding leaves the text without a meaning, empty where none does."""
        fatal = next((one for one in self.findings if one.code in FATAL), None)
        if fatal is None:
            return ""
        line = f"line {fatal.line}, " if fatal.line else ""
        return f"{line}{fatal.where}: {fatal.text}"


def check_text(source: bytes, today: date, follows: UUID | None) -> CheckedText:
    """Load and lint a text, beside the version that it follows and the base that it overlays."""
    overlay, _ = load_overlay(source) if _is_overlay(source) else (None, ())
    base = None if overlay is None else base_of(overlay)
    return _checked(source, today, follows, None if base is None else base.digest)


@lru_cache(maxsize=_KEPT)
def _is_overlay(source: bytes) -> bool:
    return is_overlay(read(source).value)


@lru_cache(maxsize=_KEPT)
def _checked(
    source: bytes, today: date, follows: UUID | None, base_digest: str | None
) -> CheckedText:
    base = None if base_digest is None else document_of(base_digest)
    loaded = load_catalog(source, lambda _: base, today=today)
    document, findings = loaded.document, loaded.findings
    if document is not None:
        previous = _previous(follows)
        findings = (
            *findings,
            *lint(document, today=today),
            *lint_against(document, previous=previous),
        )
    found = dict.fromkeys(findings)
    in_order = tuple(sorted(found, key=lambda one: (one.line or 0, one.code)))
    return CheckedText(document, in_order, base, loaded.overlay is not None)


def _previous(follows: UUID | None) -> Document | None:
    try:
        return None if follows is None else document_of_version(follows)
    except (CatalogVersion.DoesNotExist, ValueError):
        return None
