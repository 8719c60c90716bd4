"""The blind readings of one's sites: how much is read blind, how many wait, which are done."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Count

from oipsce_site.people.models import Site, User
from review.core.readings import Shares, compared_from_json
from review.models import Call, Reading, ReadingState, SecondCode, SiteShares
from review.queries.reach import readable
from review.queries.readings import hidden_from


@dataclass(frozen=True, slots=True)
class SiteReadings:
    """The blind readings of a site: its shares, and how many wait, are read, are done, and are done
    with an open difference.
    """

    id: UUID
    slug: str
    name: str
    shares: Shares
    waiting: int
    read_now: int
    done: int
    different: int


@dataclass(frozen=True, slots=True)
class DoneReading:
    """One reading that is done: of which call, why, how many rows, and how many differed."""

    call_id: UUID
    title: str
    site: str
    why: str
    reader: str
    done_at: datetime
    rows: int
    differing: int
    is_open: bool


def site_readings(user: User | AnonymousUser) -> tuple[SiteReadings, ...]:
    """Return the blind readings of every site whose calls `user` reads, by name.

    Which signed calls wait to be read again is counted, and said nowhere.
    """
    sites = Site.objects.filter(pk__in=readable(user)).order_by("name")
    states = {
        (site, state): number
        for site, state, number in Reading.objects.filter(call__site__in=sites)
        .order_by()
        .values_list("call__site", "state")
        .annotate(number=Count("*"))
    }
    different = Call.objects.filter(site__in=sites, second_reading=SecondCode.DIFFERENT)
    opened = dict(different.order_by().values_list("site").annotate(number=Count("*")))
    own = {one.site_id: one for one in SiteShares.objects.filter(site__in=sites)}
    usual = Shares(*settings.READING_SHARES)
    return tuple(
        SiteReadings(
            site.pk,
            site.slug,
            site.name,
            Shares(one.double, one.critical, one.drift) if (one := own.get(site.pk)) else usual,
            states.get((site.pk, ReadingState.WAITING), 0),
            states.get((site.pk, ReadingState.OPEN), 0),
            states.get((site.pk, ReadingState.DONE), 0),
            opened.get(site.pk, 0),
        )
        for site in sites
    )


def done_readings(user: User | AnonymousUser, limit: int) -> tuple[DoneReading, ...]:
    """Return the latest readings that are done, of calls that may be shown to `user`."""
    shown = Call.objects.filter(~hidden_from(user), site__in=readable(user))
    done = Reading.objects.filter(state=ReadingState.DONE, call__in=shown)
    found = []
    for one in done.select_related("call__site", "reader").order_by("-done_at", "id")[:limit]:
        compared = compared_from_json(one.compared or {})
        if one.reader is None or one.done_at is None:
            continue
        found.append(
            DoneReading(
                one.call_id,
                ("" if one.call.site.masks_identifiers else one.call.title) or one.call.external_id,
                one.call.site.name,
                one.get_kind_display(),
                one.reader.printed_name,
                one.done_at,
                len(compared.pairs),
                len(compared.differing),
                one.call.second_reading == SecondCode.DIFFERENT,
            )
        )
    return tuple(found)
