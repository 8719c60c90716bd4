"""What lists show of a document, kept by digest and day: loading and lint are the dear part.

A document takes about a tenth of a second to load and lint; its outline is a few numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from catalogs.core.document import Document, load_document
from catalogs.core.findings import Finding, Severity
from catalogs.core.linter import lint
from catalogs.models import CatalogVersion
from catalogs.queries.documents import document_of

# Outlines are small; this many are far more than an organisation has versions.
_MOST_KEPT = 4096
_MOST_LINTED = 256
# Sources are large and are read a few at a time.
_AT_ONCE = 16

_kept: dict[tuple[str, date], Outline] = {}


@dataclass(frozen=True, slots=True)
class Outline:
    """The numbers of a document, and which kinds of sources its critical edges rest on."""

    phases: int
    edges: int
    critical: int
    grounds: frozenset[str]
    errors: int
    warnings: int


def outlines_of(digests: Collection[str], today: date) -> dict[str, Outline]:
    """Return the outline of each stored document that can be read, in at most one query."""
    missing = [digest for digest in digests if (digest, today) not in _kept]
    if missing:
        if len(_kept) + len(missing) > _MOST_KEPT:
            _kept.clear()
        rows = CatalogVersion.objects.filter(digest__in=missing).values_list("digest", "source")
        for digest, source in rows.iterator(chunk_size=_AT_ONCE):
            document, _ = load_document(bytes(source))
            if document is not None and document.digest == digest:
                _kept[digest, today] = outline_of(document, lint(document, today=today))
    return {digest: _kept[digest, today] for digest in digests if (digest, today) in _kept}


@lru_cache(maxsize=_MOST_LINTED)
def findings_of(digest: str, today: date) -> tuple[Finding, ...]:
    """Return what lint says of a stored document on a day. Raises as `document_of` does."""
    return lint(document_of(digest), today=today)


def outline_of(document: Document, findings: tuple[Finding, ...]) -> Outline:
    """Count what a document and its findings hold."""
    kinds = Counter(finding.severity for finding in findings)
    critical = [edge for phase in document.phases for edge in phase.critical]
    return Outline(
        phases=len(document.phases),
        edges=len(document.edges),
        critical=len(critical),
        grounds=frozenset(
            str(document.sources[name]["kind"])
            for edge in critical
            for name in edge.sources
            if name in document.sources
        ),
        errors=kinds[Severity.ERROR],
        warnings=kinds[Severity.WARNING],
    )
