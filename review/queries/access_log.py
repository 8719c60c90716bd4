"""Who opened which call when, of the sites that somebody oversees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from uuid import UUID

from oipsce_site.ledger.openings import (
    Opening,
    OpeningPlace,
    OpeningsAsked,
    list_openings,
)
from oipsce_site.people.models import Membership, User
from oipsce_site.people.roles import SITE_ROLES
from review.models import Call

_AT_ONCE = 1_000


@dataclass(frozen=True, slots=True)
class AccessAsked:
    """What is asked: a site, a person, a call, days (UTC, both inside)."""

    site: UUID | None = None
    by: UUID | None = None
    call_id: UUID | None = None
    first: date | None = None
    last: date | None = None


@dataclass(frozen=True, slots=True)
class Access:
    """One opening, with names; the call's are as it is called now."""

    opening: Opening
    who: str
    title: str
    external_id: str
    site_name: str


@dataclass(frozen=True, slots=True)
class AccessList:
    """One page of openings."""

    lines: tuple[Access, ...]
    newer: OpeningPlace | None
    older: OpeningPlace | None


def list_access(
    sites: frozenset[UUID], asked: AccessAsked, *, limit: int, place: OpeningPlace | None = None
) -> AccessList:
    """Return a page of the openings of these sites' calls, the latest first, in three queries."""
    found = _openings(sites, asked, limit + 1, place)
    forward, more = place is None or place.forward, len(found) > limit
    if not forward and not more:
        return list_access(sites, asked, limit=limit)
    kept = found[:limit] if forward else found[-limit:]
    older = kept[-1].place if kept and (more or not forward) else None
    newer = replace(kept[0].place, forward=False) if kept and place is not None else None
    return AccessList(tuple(_named(kept)), newer, older)


def all_access(sites: frozenset[UUID], asked: AccessAsked) -> Iterator[Access]:
    """Yield every opening that is as asked, the latest first."""
    place: OpeningPlace | None = None
    while found := _openings(sites, asked, _AT_ONCE, place):
        yield from _named(found)
        place = found[-1].place


def people_at(sites: frozenset[UUID]) -> tuple[tuple[UUID, str], ...]:
    """Return who holds or held a role at these sites, by name."""
    held = Membership.objects.filter(site__in=sites, role__in=SITE_ROLES)
    found = User.objects.filter(pk__in=held.values("user")).order_by("printed_name", "pk")
    return tuple(found.values_list("pk", "printed_name"))


def _openings(
    sites: frozenset[UUID], asked: AccessAsked, limit: int, place: OpeningPlace | None
) -> list[Opening]:
    own = sites if asked.site is None else sites & {asked.site}
    wanted = OpeningsAsked(
        by=asked.by,
        since=None if asked.first is None else _midnight(asked.first),
        until=None if asked.last is None else _midnight(asked.last + timedelta(days=1)),
        call_id=asked.call_id,
    )
    calls = Call.objects.filter(site__in=own).values("pk")
    return list_openings(calls, wanted, limit=limit, place=place) if own else []


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)


def _named(openings: Sequence[Opening]) -> Iterator[Access]:
    calls = {
        pk: names
        for pk, *names in Call.objects.filter(pk__in={one.call_id for one in openings}).values_list(
            "pk", "title", "external_id", "site__name"
        )
    }
    people = {
        str(pk): name
        for pk, name in User.objects.filter(pk__in={one.by for one in openings}).values_list(
            "pk", "printed_name"
        )
    }
    for one in openings:
        title, external_id, site = calls[one.call_id]
        yield Access(one, people.get(one.by, one.by), title or external_id, external_id, site)
