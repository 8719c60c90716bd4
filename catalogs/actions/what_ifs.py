"""Keeping beside a text what it would change of past calls: part of its publication record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from catalogs.core.canonical import digest as canonical_digest
from catalogs.models import WhatIfReport


@dataclass(frozen=True, slots=True)
class Found:
    """What a what-if was of, and what it came to in counts."""

    digest: str
    what_if_id: UUID
    site_id: UUID
    kind: str
    catalog: str
    days: tuple[date | None, date | None]
    engine: str
    asked_by: UUID
    figures: Mapping[str, Any]

    @property
    def figures_digest(self) -> str:
        """The SHA-256 (hex) over the counts."""
        return canonical_digest(dict(self.figures))


def keep_what_if(*, report_id: UUID, found: Found, at: datetime) -> UUID:
    """Keep what a what-if came to beside its text, inside the transaction of review that ends it
    and leaves its entry. Returns the report's id.
    """
    WhatIfReport.objects.create(
        id=report_id,
        document_digest=found.digest,
        what_if_id=found.what_if_id,
        site_id=found.site_id,
        kind=found.kind,
        catalog=found.catalog,
        first_date=found.days[0],
        last_date=found.days[1],
        engine=found.engine,
        figures=dict(found.figures),
        figures_digest=found.figures_digest,
        asked_by_id=found.asked_by,
        made_at=at,
    )
    return report_id
