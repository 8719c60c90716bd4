"""The reviewers' queue: calls that ask for a person, the gravest and oldest first.

Page, counts and the claim of the next call come from one set, `in_queue`. Of a call that is read
blind no query here returns a verdict, and none narrows by it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, F, Min, OuterRef, Q, QuerySet, Value

from catalogs.models import CatalogVersion
from oipsce_site.people.models import Site, User
from review.core.queue import AGE_LIMITS, BLIND_CLASSES, Edge, Placed, QueueClass
from review.models import Call, CallNote, NoteKind, PhaseRow
from review.models.listed import IN_QUEUE
from review.queries.call_lines import LINE_COLUMNS, CallLine, line_from
from review.queries.calls_list import MOST_COUNTED, Narrowing, SiteName, compare_rows, narrow
from review.queries.holds import HOLD_COLUMNS, NO_HOLD, Hold, hold_from, is_free
from review.queries.reach import readable
from review.queries.searching import with_words

#: The age that is a limit of the call's class, not a span.
LATE = "late"

HELD = ("mine", "others", "free")
ASSIGNED = ("me", "others", "nobody")


@dataclass(frozen=True, slots=True)
class QueueNarrowing(Narrowing):
    """What is asked of the queue; None asks for nothing.

    Beside what lists ask for: `kind` is the name of a `QueueClass` in small letters, `held` one of
    HELD, `assigned` one of ASSIGNED, and an `age` may be LATE.
    """

    kind: str | None = None
    held: str | None = None
    assigned: str | None = None


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """A place in the queue: the call there, by class and arrival. `forward` goes on down."""

    rank: int
    received_at: datetime
    id: UUID
    forward: bool = True


@dataclass(frozen=True, slots=True)
class QueueLine:
    """One call of the queue: its line, why it is here, and who holds it."""

    line: CallLine
    placed: Placed
    edge: Edge | None
    hold: Hold


@dataclass(frozen=True, slots=True)
class QueueCell:
    """Calls of the queue that are alike; `verdict` is None for those that are read blind."""

    site: str
    kind: QueueClass
    catalog: str | None
    verdict: str | None
    number: int


@dataclass(frozen=True, slots=True)
class QueueList:
    """One page. `total` is None beyond MOST_COUNTED; `before` and `after` are where pages begin.

    `cells` are counted where that costs little: as long as nothing else narrows the queue. `mine`
    and `others` count the calls of the queue that are held now; `next_end` is when the first of
    these holds ends.
    """

    lines: tuple[QueueLine, ...]
    total: int | None
    before: QueuePlace | None
    after: QueuePlace | None
    sites: tuple[SiteName, ...]
    catalogs: tuple[str, ...]
    cells: tuple[QueueCell, ...] | None
    mine: int
    others: int
    next_end: datetime | None

    def count(self, **like: str | None) -> int | None:
        """Return how many calls are like this, by the fields of a cell; None where not counted."""
        if self.cells is None:
            return None
        return sum(cell.number for cell in self.cells if _is_like(cell, like))


#: What `QueueList.count` can be asked for.
COUNTED = ("site", "kind", "catalog", "verdict")


def list_queue(
    user: User,
    narrowing: QueueNarrowing,
    *,
    at: datetime,
    limit: int,
    place: QueuePlace | None = None,
) -> QueueList:
    """Return a page of the queue of the sites that `user` reads, in five queries."""
    readers = readable(user)
    sites = tuple(Site.objects.filter(pk__in=readers).order_by("name"))
    catalogs = dict(CatalogVersion.objects.values_list("pk", "catalog__slug"))
    matching = in_queue(user, sites, catalogs, narrowing, at)
    lines, before, after = _page(matching, limit, place)
    cells = None
    if set(narrowing.asked) <= set(COUNTED):
        whole = in_queue(user, sites, catalogs, QueueNarrowing(), at)
        cells = _count(whole, {site.pk: site.slug for site in sites}, catalogs)
    mine, others, next_end = _held_now(
        in_queue(user, sites, catalogs, QueueNarrowing(), at), user, at
    )
    found = QueueList(
        lines=lines,
        total=None if cells is not None else _bounded_count(matching, narrowing),
        before=before,
        after=after,
        sites=tuple(SiteName(site.slug, site.name) for site in sites),
        catalogs=tuple(sorted(set(catalogs.values()))),
        cells=cells,
        mine=mine,
        others=others,
        next_end=next_end,
    )
    asked = {name: getattr(narrowing, name) for name in COUNTED}
    return found if cells is None else replace(found, total=found.count(**asked))


def in_queue(
    user: User,
    sites: Collection[Site],
    catalogs: Mapping[UUID, str],
    narrowing: QueueNarrowing,
    at: datetime,
) -> QuerySet[Call]:
    """Return the calls of these sites that ask for a person and are as `user` asks."""
    age = None if narrowing.age == LATE else narrowing.age
    calls = narrow(sites, catalogs, replace(narrowing, age=age), at).filter(IN_QUEUE)
    if narrowing.verdict is not None:
        # A filter by verdict must not say what a blind reader is not to know.
        calls = calls.exclude(queue_class__in=BLIND_CLASSES)
    if narrowing.kind is not None:
        calls = calls.filter(queue_class=QueueClass[narrowing.kind.upper()])
    if narrowing.age == LATE:
        calls = calls.filter(_late(at))
    if narrowing.held is not None:
        calls = calls.filter(_held(narrowing.held, user, at))
    if narrowing.assigned is not None:
        calls = calls.filter(_assigned(narrowing.assigned, user))
    return calls if narrowing.text is None else with_words(calls, narrowing.text, MOST_COUNTED)


def in_queue_order(calls: QuerySet[Call], place: QueuePlace | None = None) -> QuerySet[Call]:
    """Return calls of the queue from a place on, the gravest and oldest first, or backwards."""
    names = ("queue_class", "received_at", "id")
    forward = place is None or place.forward
    if place is not None:
        here = (Value(place.rank), Value(place.received_at), Value(place.id))
        calls = calls.filter(compare_rows([F(name) for name in names], here, after=forward))
    return calls.order_by(*(name if forward else f"-{name}" for name in names))


def skipped_by(user: User) -> Exists:
    """Return the condition of a call that `user` has passed over."""
    notes = CallNote.objects.filter(call=OuterRef("pk"), by=user, kind=NoteKind.SKIPPED)
    return Exists(notes)


def turned_by(user: User) -> Exists:
    """Return the condition of a call with a row that `user` turned round: not theirs to settle."""
    rows = PhaseRow.objects.filter(call=OuterRef("pk"), needs_second=True, decided_by=user)
    return Exists(rows)


def _late(at: datetime) -> Q:
    over = (Q(queue_class=kind, received_at__lt=at - limit) for kind, limit in AGE_LIMITS.items())
    return reduce(or_, over)


def _held(held: str, user: User, at: datetime) -> Q:
    if held == "free":
        return is_free(at)
    whose = Q(held_by=user) if held == "mine" else ~Q(held_by=user) & Q(held_by__isnull=False)
    return Q(held_until__gt=at) & whose


def _assigned(assigned: str, user: User) -> Q:
    if assigned == "nobody":
        return Q(assigned_to__isnull=True)
    if assigned == "me":
        return Q(assigned_to=user)
    return Q(assigned_to__isnull=False) & ~Q(assigned_to=user)


_COLUMNS = (
    *LINE_COLUMNS,
    *HOLD_COLUMNS,
    *("queue_class", "queue_phase", "queue_code", "queue_edge"),
)


def _page(
    matching: QuerySet[Call], limit: int, place: QueuePlace | None
) -> tuple[tuple[QueueLine, ...], QueuePlace | None, QueuePlace | None]:
    rows = list(in_queue_order(matching, place).values(*_COLUMNS)[: limit + 1])
    lines, more = [_line(row) for row in rows[:limit]], len(rows) > limit
    if place is None or place.forward:
        before = _place(lines[0], forward=False) if place and lines else None
        return tuple(lines), before, _place(lines[-1], forward=True) if more else None
    if not more:
        # So near the beginning the page is the first one, whole.
        return _page(matching, limit, None)
    lines.reverse()
    return tuple(lines), _place(lines[0], forward=False), _place(lines[-1], forward=True)


def _place(one: QueueLine, *, forward: bool) -> QueuePlace:
    return QueuePlace(one.placed.kind, one.line.received_at, one.line.id, forward)


def _line(row: Mapping[str, Any]) -> QueueLine:
    kind = QueueClass(row["queue_class"])
    line, edge = line_from(row), row["queue_edge"]
    if kind in BLIND_CLASSES:
        line = replace(line, coverage=None, order_safe=None, call_success=None, focus_turn=None)
    return QueueLine(
        line,
        Placed(kind, row["queue_phase"], row["queue_code"]),
        None if edge is None else Edge(**edge),
        # Who is at it may be the first reader, who goes on.
        NO_HOLD if kind is QueueClass.BLIND else hold_from(row),
    )


def _count(
    calls: QuerySet[Call], sites: Mapping[UUID, str], catalogs: Mapping[UUID, str]
) -> tuple[QueueCell, ...]:
    columns = ("site_id", "queue_class", "catalog_version_id", "call_success")
    counted = calls.order_by().values_list(*columns).annotate(number=Count("*"))
    return tuple(
        QueueCell(
            site=sites[site],
            kind=QueueClass(kind),
            catalog=catalogs.get(version),
            verdict=None if success is None or kind in BLIND_CLASSES else success.lower(),
            number=number,
        )
        for site, kind, version, success, number in counted
    )


def _is_like(cell: QueueCell, like: Mapping[str, str | None]) -> bool:
    is_of = {
        "site": cell.site,
        "kind": cell.kind.name.lower(),
        "catalog": cell.catalog,
        "verdict": cell.verdict,
    }
    return all(value in (None, is_of[name]) for name, value in like.items())


def _held_now(calls: QuerySet[Call], user: User, at: datetime) -> tuple[int, int, datetime | None]:
    """Return how many calls are held by the person and by others, and when the first hold of these
    ends.
    """
    live = calls.filter(held_by__isnull=False, held_until__gt=at).order_by()
    counted = live.values_list("held_by").annotate(number=Count("*"), first=Min("held_until"))
    held = {holder: (number, first) for holder, number, first in counted}
    mine, _ = held.pop(user.pk, (0, None))
    return (
        mine,
        sum(number for number, _ in held.values()),
        min((first for _, first in held.values()), default=None),
    )


def _bounded_count(matching: QuerySet[Call], narrowing: QueueNarrowing) -> int | None:
    # In the queue's order, so that many are counted along its index; words have an index of their
    # own, and to sort what it finds would take longer than to count it.
    ordered = matching.order_by() if narrowing.text is not None else in_queue_order(matching)
    found = ordered.values("pk")[: MOST_COUNTED + 1].count()
    return None if found > MOST_COUNTED else found
