"""The list of calls: narrowed, in the order of their arrival, a page at a time from any place.

A page begins at a place, not at a number, so the thousandth is as fast as the first and nothing
moves under a reader while calls arrive. Page and total come from one narrowed set.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import BooleanField, F, Func, QuerySet, Value
from django.db.models.expressions import Combinable

from catalogs.models import CatalogVersion
from oipsce_site.people.models import Site, User
from review.models import Call
from review.queries.call_counts import CallCounts, count_by_glance
from review.queries.call_lines import LINE_COLUMNS, CallLine, line_from
from review.queries.reach import readable
from review.queries.searching import search

#: Beyond this a total is told as "more than": nobody reads a thousand lines.
MOST_COUNTED = 1_000

#: How long ago a call was received: at least, at most.
AGES: dict[str, tuple[timedelta, timedelta | None]] = {
    "day": (timedelta(0), timedelta(days=1)),
    "week": (timedelta(0), timedelta(days=7)),
    "month": (timedelta(0), timedelta(days=30)),
    "older": (timedelta(days=30), None),
}


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What is asked of a list; None asks for nothing.

    `site` and `catalog` are slugs, `state` a `CallState` value, `verdict` what CallSuccess is
    ("pass", "fail", "undetermined"), `flag` a `FlagCode` value, `age` a key of AGES, and `text`
    words of ids, titles, phase ids and codes.
    """

    site: str | None = None
    catalog: str | None = None
    state: str | None = None
    verdict: str | None = None
    flag: str | None = None
    age: str | None = None
    text: str | None = None

    @property
    def asked(self) -> tuple[str, ...]:
        """The names of what is asked for."""
        return tuple(one.name for one in fields(self) if getattr(self, one.name) is not None)


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the list: the call there, by its arrival. `forward` goes to the older ones."""

    received_at: datetime
    id: UUID
    forward: bool = True


#: Gives the calls from a place on, in the order of the list.
_Begin = Callable[[Place | None], QuerySet[Call]]


@dataclass(frozen=True, slots=True)
class SiteName:
    """A site as a list names it."""

    slug: str
    name: str


@dataclass(frozen=True, slots=True)
class CallList:
    """One page. `total` is None beyond MOST_COUNTED; `newer` and `older` are where pages begin.

    `sites` are those whose calls the reader sees, `catalogs` the slugs there are. `counts` are
    there where they cost little: as long as neither flag, age nor text narrow the list.
    """

    lines: tuple[CallLine, ...]
    total: int | None
    newer: Place | None
    older: Place | None
    sites: tuple[SiteName, ...]
    catalogs: tuple[str, ...]
    counts: CallCounts | None


def list_calls(
    user: User | AnonymousUser,
    narrowing: Narrowing,
    *,
    at: datetime,
    limit: int,
    place: Place | None = None,
) -> CallList:
    """Return a page of the calls that `user` may see, last received first, in four queries.

    An unknown site, catalog, state, verdict or flag gives an empty list.
    """
    mine = readable(user)
    sites = tuple(Site.objects.filter(pk__in=mine).order_by("name"))
    catalogs = dict(CatalogVersion.objects.values_list("pk", "catalog__slug"))
    matching = narrow(sites, catalogs, narrowing, at)
    counts: CallCounts | None = None
    total: int | None
    begin: _Begin = partial(in_order, matching)
    if narrowing.text is not None:
        found = search(matching, narrowing.text, MOST_COUNTED)
        total = None if found.few is None else len(found.few)
        begin = partial(in_order, found.many)
        if found.few is not None:
            begin = partial(_nearest, found.few, limit + 1)
    elif {"flag", "age"} & set(narrowing.asked):
        total = _bounded_count(matching)
    else:
        counts = count_by_glance(sites, catalogs)
        total = counts.total(
            site=narrowing.site,
            catalog=narrowing.catalog,
            state=narrowing.state,
            verdict=narrowing.verdict,
        )
    lines, newer, older = _page(begin, limit, place)
    names = tuple(SiteName(site.slug, site.name) for site in sites)
    return CallList(
        lines, total, newer, older, names, tuple(sorted(set(catalogs.values()))), counts
    )


def narrow(
    sites: Collection[Site], catalogs: Mapping[UUID, str], narrowing: Narrowing, at: datetime
) -> QuerySet[Call]:
    """Return the calls of these sites that are as asked, whatever their words; `catalogs` are slugs
    by version.
    """
    asked = [site for site in sites if narrowing.site in (None, site.slug)]
    calls = Call.objects.filter(site__in=asked)
    if narrowing.catalog is not None:
        versions = [pk for pk, slug in catalogs.items() if slug == narrowing.catalog]
        calls = calls.filter(catalog_version__in=versions)
    if narrowing.state is not None:
        calls = calls.filter(state=narrowing.state)
    if narrowing.verdict is not None:
        calls = calls.filter(call_success=narrowing.verdict.upper())
    if narrowing.flag is not None:
        calls = calls.filter(row_flags__contains=[narrowing.flag])
    if narrowing.age is not None:
        calls = _of_age(calls, narrowing.age, at)
    return calls


def in_order(calls: QuerySet[Call], place: Place | None) -> QuerySet[Call]:
    """Return the calls from a place on, last received first, or backwards from it."""
    forward = place is None or place.forward
    if place is not None:
        here = (Value(place.received_at), Value(place.id))
        there = (F("received_at"), F("id"))
        calls = calls.filter(compare_rows(there, here, after=not forward))
    return calls.order_by("-received_at", "-id") if forward else calls.order_by("received_at", "id")


def compare_rows(one: Sequence[Combinable], other: Sequence[Combinable], *, after: bool) -> Func:
    """Return the condition that `one` comes after (or before) `other`, value by value."""
    return (_After if after else _Before)(_Row(*one), _Row(*other))


class _Row(Func):
    """A row of values: compared as one, so that one index finds the place."""

    template = "(%(expressions)s)"
    output_field = BooleanField()


class _Before(Func):
    template, arg_joiner, output_field = "%(expressions)s", " < ", BooleanField()


class _After(Func):
    template, arg_joiner, output_field = "%(expressions)s", " > ", BooleanField()


def _of_age(calls: QuerySet[Call], age: str, at: datetime) -> QuerySet[Call]:
    least, most = AGES[age]
    if least:
        calls = calls.filter(received_at__lt=at - least)
    return calls if most is None else calls.filter(received_at__gte=at - most)


def _nearest(
    found: Sequence[tuple[datetime, UUID]], most: int, place: Place | None
) -> QuerySet[Call]:
    """Return the first calls from a place on, of those that were found."""
    forward = place is None or place.forward
    inside = sorted(found, reverse=forward)
    if place is not None:
        here = (place.received_at, place.id)
        inside = [one for one in inside if (one < here if forward else one > here)]
    return in_order(Call.objects.filter(pk__in=[pk for _, pk in inside[:most]]), place)


def _page(
    begin: _Begin, limit: int, place: Place | None
) -> tuple[tuple[CallLine, ...], Place | None, Place | None]:
    rows = list(begin(place).values(*LINE_COLUMNS)[: limit + 1])
    lines, more = [line_from(row) for row in rows[:limit]], len(rows) > limit
    if place is None or place.forward:
        return tuple(lines), _first(lines) if place else None, _last(lines) if more else None
    if not more:
        # So near the beginning the page is the first one, whole.
        return _page(begin, limit, None)
    lines.reverse()
    return tuple(lines), _first(lines), _last(lines)


def _first(lines: Sequence[CallLine]) -> Place | None:
    return Place(lines[0].received_at, lines[0].id, forward=False) if lines else None


def _last(lines: Sequence[CallLine]) -> Place | None:
    return Place(lines[-1].received_at, lines[-1].id) if lines else None


def _bounded_count(matching: QuerySet[Call]) -> int | None:
    # In the list's order, so that many are counted along its index and few are looked up.
    found = in_order(matching, None).values("pk")[: MOST_COUNTED + 1].count()
    return None if found > MOST_COUNTED else found
