"""The list of sites, and one site."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from oipsce_site.administration.presenters.wording import role_words, show_time
from oipsce_site.people.models import Membership, Site


@dataclass(frozen=True, slots=True)
class SiteLine:
    """One site of the list."""

    id: UUID
    name: str
    slug: str
    people: int
    retired: str


@dataclass(frozen=True, slots=True)
class Holder:
    """Somebody who holds a role at a site."""

    person_id: UUID
    name: str
    role: str
    since: str


@dataclass(frozen=True, slots=True)
class SitePage:
    """One site. `retired` is the time, empty for an open site."""

    id: UUID
    name: str
    slug: str
    revision: int
    changed: str
    retired: str
    masks: bool
    may_change: bool
    holders: tuple[Holder, ...]


def show_sites(sites: Iterable[tuple[Site, int]]) -> tuple[SiteLine, ...]:
    """Draw the list: each site with how many people hold a role there."""
    return tuple(
        SiteLine(one.pk, one.name, one.slug, held, show_time(one.retired_at, never=""))
        for one, held in sites
    )


def show_site(site: Site, holders: Iterable[Membership], *, may_change: bool) -> SitePage:
    """Draw one site."""
    by = site.changed_by.printed_name if site.changed_by else "a command"
    return SitePage(
        id=site.pk,
        name=site.name,
        slug=site.slug,
        revision=site.revision,
        changed=f"{by} at {show_time(site.changed_at)}" if site.changed_at else "",
        retired=show_time(site.retired_at, never=""),
        masks=site.masks_identifiers,
        may_change=may_change,
        holders=tuple(
            Holder(
                one.user_id, one.user.printed_name, role_words(one.role), show_time(one.granted_at)
            )
            for one in holders
        ),
    )
