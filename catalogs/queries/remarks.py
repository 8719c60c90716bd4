"""What was said of a version, the newest last."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from catalogs.models import VersionRemark


@dataclass(frozen=True, slots=True)
class RemarkLine:
    """One remark. `digest` is of the text that it was made on."""

    kind: str
    phase: str
    words: str
    digest: str
    by: str
    at: datetime


def list_remarks(version_id: UUID) -> tuple[RemarkLine, ...]:
    """Return the remarks on a version in the order in which they were made."""
    rows = VersionRemark.objects.filter(version_id=version_id).select_related("made_by")
    return tuple(
        RemarkLine(
            row.kind,
            row.phase,
            row.words,
            row.document_digest,
            row.made_by.printed_name,
            row.made_at,
        )
        for row in rows.order_by("made_at", "id")
    )
