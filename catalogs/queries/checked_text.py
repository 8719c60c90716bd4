"""What is to be said of a text that is being written, kept for as long as it stands."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from uuid import UUID

from catalogs.core.document import Document, load_document
from catalogs.core.findings import Finding
from catalogs.core.linter import FATAL, is_fatal, lint, lint_against
from catalogs.models import CatalogVersion
from catalogs.queries.documents import document_of_version

_KEPT = 32


@dataclass(frozen=True, slots=True)
class CheckedText:
    """A text with all that lint says of it, by line; no document where it has no meaning."""

    document: Document | None
    findings: tuple[Finding, ...]

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


@lru_cache(maxsize=_KEPT)
def check_text(source: bytes, today: date, follows: UUID | None) -> CheckedText:
    """Load and lint a text, beside the version that it follows."""
    document, findings = load_document(source)
    if document is not None:
        previous = _previous(follows)
        findings = (
            *findings,
            *lint(document, today=today),
            *lint_against(document, previous=previous),
        )
    found = dict.fromkeys(findings)
    return CheckedText(document, tuple(sorted(found, key=lambda one: (one.line or 0, one.code))))


def _previous(follows: UUID | None) -> Document | None:
    try:
        return None if follows is None else document_of_version(follows)
    except (CatalogVersion.DoesNotExist, ValueError):
        return None
