"""What-ifs as pages show them: of the sites that a person sees, calls only for who reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import F, Q, QuerySet
from django.db.models.expressions import Window
from django.db.models.functions import RowNumber

from oipsce_site.people.matrix import Act, sites_reached
from oipsce_site.people.models import Site, User
from oipsce_site.people.permitted import held_by, sites_in
from review.core.whatif.reach import WhatIfReach
from review.models import OPEN_WHAT_IFS, Call, WhatIf, WhatIfLine, WhatIfPortion
from review.queries.readings import hidden_from

_READ_AT_ONCE = 2_000


@dataclass(frozen=True, slots=True)
class WhatIfRow:
    """One what-if. `of` is a draft's title with the number of its text, or a version's name;
    `draft_id` or `version` (slug and number) say where that is.
    """

    id: UUID
    site_id: UUID
    site_name: str
    kind: str
    state: str
    title: str
    draft_id: UUID | None
    number: int
    version: tuple[str, str] | None
    document_digest: str
    catalog: str
    days: tuple[date | None, date | None]
    calls: int
    done: int
    by: str
    asked_at: datetime
    ended_at: datetime | None
    result: Mapping[str, Any] | None
    result_digest: str
    failure: str


@dataclass(frozen=True, slots=True)
class LineRow:
    """A call that comes out otherwise. `name`, `rows` and `edges` are empty for who may not open
    it; a row is (name, turn, before, after).
    """

    call_id: UUID
    change: str
    signed: bool
    before: str
    after: str
    is_open: bool
    name: str
    rows: tuple[tuple[str, int | None, str, str], ...]
    edges: tuple[tuple[str, int | None, str, str], ...]
    annotate: tuple[str, ...]
    lost: tuple[str, ...]


def what_ifs_at(user: User | AnonymousUser) -> WhatIfReach:
    """Say in one query where a person asks for what-ifs, sees them, and reads calls."""
    held = held_by(user)
    return WhatIfReach(
        asks=sites_reached(Act.ASK_WHAT_IFS, held),
        sees=sites_reached(Act.SEE_WHAT_IFS, held),
        reads=sites_in(held, Act.READ_CALLS),
    )


def portion_waits(at: datetime) -> Q:
    """Return the condition of a portion that a worker may take."""
    free = Q(lease_until__isnull=True) | Q(lease_until__lt=at)
    return Q(counts__isnull=True, what_if__state__in=OPEN_WHAT_IFS) & free


def count_waiting_portions(at: datetime) -> int:
    """Count the portions that wait."""
    return WhatIfPortion.objects.filter(portion_waits(at)).count()


def list_what_if_sites(sites: frozenset[UUID] | None) -> list[Site]:
    """Return these sites by name; None: all of them."""
    found = Site.objects.all() if sites is None else Site.objects.filter(pk__in=sites)
    return list(found.order_by("name"))


def list_what_ifs(
    reach: WhatIfReach,
    *,
    draft_id: UUID | None = None,
    version_id: UUID | None = None,
    digest: str | None = None,
    limit: int = 50,
) -> list[WhatIfRow]:
    """Return the what-ifs of a draft, or of a version and of its exact text, the latest first."""
    of = Q(draft=draft_id) if draft_id else Q(version=version_id) | Q(document_digest=digest)
    return [_row(one) for one in _seen(reach).filter(of).order_by("-asked_at", "pk")[:limit]]


def get_what_if_for(reach: WhatIfReach, what_if_id: UUID) -> WhatIfRow | None:
    """Return one what-if; None for one that is not there or not theirs to see."""
    found = _seen(reach).filter(pk=what_if_id).first()
    return None if found is None else _row(found)


def _seen(reach: WhatIfReach) -> QuerySet[WhatIf]:
    found = WhatIf.objects.select_related("site", "asked_by", "version__catalog").defer(
        "source", "version__source"
    )
    return found if reach.sees is None else found.filter(site__in=reach.sees)


def examples_of(
    row: WhatIfRow, reach: WhatIfReach, user: User | AnonymousUser, *, most: int
) -> list[LineRow]:
    """Return the first calls of each change, `most` of each, those that are signed before others.

    What is read blind is as any call that the person may not open.
    """
    place = Window(
        RowNumber(), partition_by=F("change"), order_by=[F("signed").desc(), F("id").asc()]
    )
    first = WhatIfLine.objects.filter(what_if=row.id).annotate(place=place).filter(place__lte=most)
    return list(show_lines(first.order_by("change", "place"), _readable(row, reach), user))


def lines_of(row: WhatIfRow, reach: WhatIfReach, user: User | AnonymousUser) -> Iterator[LineRow]:
    """Return every call that comes out otherwise, in the order they were looked at."""
    found = WhatIfLine.objects.filter(what_if=row.id).order_by("id")
    last = 0
    while batch := list(found.filter(pk__gt=last)[:_READ_AT_ONCE]):
        last = batch[-1].pk
        yield from show_lines(batch, _readable(row, reach), user)


def _readable(row: WhatIfRow, reach: WhatIfReach) -> frozenset[UUID]:
    return reach.reads & {row.site_id}


def show_lines(lines: Any, reads: frozenset[UUID], user: User | AnonymousUser) -> Iterator[LineRow]:
    """Yield lines of calls, with names and rows of those at the sites whose calls the person reads
    and that they do not read blind.
    """
    found = list(lines)
    names: dict[UUID, str] = {}
    if reads:
        theirs = Call.objects.filter(
            ~hidden_from(user),
            pk__in=[one.call_id for one in found],
            site__in=reads,
            erased_at=None,
        )
        names = dict(theirs.values_list("pk", "external_id"))
    for one in found:
        is_open = one.call_id in names
        yield LineRow(
            call_id=one.call_id,
            change=one.change,
            signed=one.signed,
            before=one.before,
            after=one.after,
            is_open=is_open,
            name=names.get(one.call_id, ""),
            rows=_turned(one.rows) if is_open else (),
            edges=_turned(one.edges) if is_open else (),
            annotate=tuple(one.annotate) if is_open else (),
            lost=tuple(one.lost) if is_open else (),
        )


def _turned(plain: list[Any]) -> tuple[tuple[str, int | None, str, str], ...]:
    return tuple((name, turn, before, after) for name, turn, before, after in plain)


def _row(one: WhatIf) -> WhatIfRow:
    version = one.version
    return WhatIfRow(
        id=one.pk,
        site_id=one.site_id,
        site_name=one.site.name,
        kind=one.kind,
        state=one.state,
        title=one.title,
        draft_id=one.draft_id,
        number=one.number,
        version=(version.catalog.slug, version.version) if version else None,
        document_digest=one.document_digest,
        catalog=one.catalog,
        days=(one.first_date, one.last_date),
        calls=one.calls,
        done=one.done,
        by=one.asked_by.printed_name,
        asked_at=one.asked_at,
        ended_at=one.ended_at,
        result=one.result,
        result_digest=one.result_digest,
        failure=one.failure,
    )
