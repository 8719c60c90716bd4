"""Role maps that people confirmed, as an import and the list of them ask."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from review.core.masking import masker_of_plain
from review.models import RoleMap


@dataclass(frozen=True, slots=True)
class RoleMapLine:
    """One remembered map; `roles` pairs the source's word with a role, `confirmed_by` is a name."""

    id: UUID
    site_name: str
    source: str
    catalog: str
    roles: tuple[tuple[str, str], ...]
    confirmed_by: str
    confirmed_at: datetime


def confirmed_roles(site_id: UUID, source: str, version_id: UUID) -> Mapping[str, str]:
    """Return the map that a person confirmed for this source and the catalog of this version."""
    found = RoleMap.objects.filter(
        site=site_id, source=source, catalog__versions=version_id
    ).values_list("roles", flat=True)
    return found.first() or {}


def _shown(row: RoleMap) -> Mapping[str, str]:
    """Return a map as it is shown: a source may call its speakers by their names."""
    if not row.site.masks_identifiers:
        return dict(row.roles)
    masker = masker_of_plain({}, row.roles)
    return {masker.label(word): role for word, role in row.roles.items()}


def list_role_maps(site_ids: Collection[UUID]) -> tuple[RoleMapLine, ...]:
    """Return the maps of these sites, by site, source and catalog, in one query."""
    rows = RoleMap.objects.filter(site__in=site_ids).select_related(
        "site", "catalog", "confirmed_by"
    )
    return tuple(
        RoleMapLine(
            id=row.id,
            site_name=row.site.name,
            source=row.source,
            catalog=row.catalog.title,
            roles=tuple(sorted(_shown(row).items())),
            confirmed_by="the operator"
            if row.confirmed_by is None
            else row.confirmed_by.printed_name,
            confirmed_at=row.confirmed_at,
        )
        for row in rows.order_by("site__name", "source", "catalog__title")
    )
