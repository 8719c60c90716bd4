"""Loading a catalog: bytes in, `(document, findings)` out. Errors are data; nothing is raised for
bad input.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

from catalogs.core.document.building import build
from catalogs.core.document.checking import CUT_SENTENCE, check, is_overlay
from catalogs.core.document.complaint import Complaint
from catalogs.core.document.model import Document
from catalogs.core.document.plain import in_words
from catalogs.core.document.reading import MAX_COMPLAINTS, Source, read
from catalogs.core.findings import Finding, error, warning

LOAD_FATAL = frozenset(
    {"E101", "E102", "E103", "E104", "E105", "E106", "E109", "E301", "E410", "E418", "E616"}
    | {f"E11{digit}" for digit in range(10)}
)
"""Findings that leave nothing to judge a call by: `load_document` then gives no document."""


# Publishing asks for the same bytes at every gate; a document is frozen, so one reading serves all.
@lru_cache(maxsize=8)
def load_document(data: bytes) -> tuple[Document | None, tuple[Finding, ...]]:
    """Read a catalog. The document is None exactly when a finding leaves it without meaning.

    Findings come with the author's words for the place and its line, in the order of the file.
    """
    source, complaints = read_checked(data)
    document: Document | None = None
    if is_overlay(source.value):
        said = "this is an overlay; it judges calls only together with the catalog that it extends"
        complaints.append(Complaint("E616", "extends", said))
    if isinstance(source.value, dict) and not any(
        complaint.code in LOAD_FATAL for complaint in complaints
    ):
        document, unreadable = build(source.value, source.lines)
        complaints.extend(unreadable)
        document = None if unreadable else document
    return document, findings_of(complaints, source)


def read_checked(data: bytes) -> tuple[Source, list[Complaint]]:
    """Read a catalog or an overlay and check its shape; the second is what is wrong with it."""
    source = read(data)
    return source, list(source.complaints) or _checked(source)


def _checked(source: Source) -> list[Complaint]:
    """Check the shape. A file can hold thousands of mistakes; the first are enough to start."""
    found = list(islice(check(source.value), MAX_COMPLAINTS))
    if len(found) == MAX_COMPLAINTS:
        text = f"{MAX_COMPLAINTS} problems so far; the rest of the file was not checked"
        found.append(Complaint("E114", "", text))
    return found


def findings_of(complaints: list[Complaint], source: Source) -> tuple[Finding, ...]:
    """Return complaints as findings with their words and lines, in the order of the file."""
    found = [_finding(complaint, source) for complaint in complaints]
    return tuple(
        sorted(
            dict.fromkeys(found),
            key=lambda finding: (finding.line or 0, finding.code, finding.where),
        )
    )


def _finding(complaint: Complaint, source: Source) -> Finding:
    where = in_words(complaint.path, source.value) or "catalog"
    line = complaint.line or source.lines.get(complaint.path, 1)
    kind = warning if complaint.code == CUT_SENTENCE else error
    return kind(complaint.code, where, complaint.text, line)
