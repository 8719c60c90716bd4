"""What a text would change of past calls, as it stands in the record of its publication."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser

from catalogs.models import WhatIfReport
from oipsce_site.people.matrix import Act, sites_reached
from oipsce_site.people.models import User
from oipsce_site.people.permitted import held_by


@dataclass(frozen=True, slots=True)
class WhatIfReportLine:
    """One what-if of a text; `figures` are counts as review wrote them."""

    what_if_id: UUID
    site_name: str
    kind: str
    catalog: str
    days: tuple[date | None, date | None]
    figures: Mapping[str, Any]
    figures_digest: str
    by: str
    made_at: datetime


def list_what_if_reports(
    user: User | AnonymousUser, digest: str, *, limit: int = 20
) -> tuple[WhatIfReportLine, ...]:
    """Return the what-ifs of exactly this text at the sites whose what-ifs `user` sees, the latest
    first, in two queries.
    """
    sites = sites_reached(Act.SEE_WHAT_IFS, held_by(user))
    found = WhatIfReport.objects.filter(document_digest=digest)
    if sites is not None:
        found = found.filter(site__in=sites)
    rows = found.select_related("site", "asked_by").order_by("-made_at", "-id")[:limit]
    return tuple(
        WhatIfReportLine(
            row.what_if_id,
            row.site.name,
            row.kind,
            row.catalog,
            (row.first_date, row.last_date),
            row.figures,
            row.figures_digest,
            row.asked_by.printed_name,
            row.made_at,
        )
        for row in rows
    )


def figures_of_what_ifs(digest: str) -> list[str]:
    """Return the digests of all counts that stand for a text, the oldest first."""
    found = WhatIfReport.objects.filter(document_digest=digest).order_by("made_at", "id")
    return list(found.values_list("figures_digest", flat=True))
