"""Disputes of signed calls: lists, counts and one by itself; words are read through `opening`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, F, Q, QuerySet, Value

from oipsce_site.people.models import User
from review.core.compliance.disputes import Shown, Standing, standing_of
from review.models import Call, Dispute, DisputeEnd, PhaseRow
from review.queries.calls_list import compare_rows
from review.queries.readings import hidden_from

ANSWERS: Final = (DisputeEnd.UPHELD, DisputeEnd.OVERTURNED)


class DisputePlace(NamedTuple):
    """The dispute after which a page begins, in the order of its list."""

    at: datetime
    id: UUID


@dataclass(frozen=True, slots=True)
class DisputesWanted:
    """Which disputes a list shows: how they stand, a site's slug, after which place."""

    shown: Shown = Shown.OPEN
    site: str | None = None
    place: DisputePlace | None = None


@dataclass(frozen=True, slots=True)
class DisputeLine:
    """One dispute without its words; `phase` is empty where a result of the call is disputed.

    `answerer` is empty as long as nobody answered. `note` and `answer_note` are where words lie.
    """

    id: UUID
    call_id: UUID
    title: str
    external_id: str
    is_erased: bool
    site_id: UUID
    site_name: str
    kind: str
    phase: str
    result: str
    by: UUID
    filer: str
    at: datetime
    due: datetime
    standing: Standing
    answerer: str
    ended_at: datetime | None
    signed_by: UUID
    signer: str
    signed_at: datetime
    stands: bool
    note: int
    answer_note: int | None

    @property
    def place(self) -> DisputePlace:
        """Its place in a list."""
        return DisputePlace(self.at, self.id)


@dataclass(frozen=True, slots=True)
class DisputeList:
    """One page, the place of the next one, and how many there are of each sort."""

    lines: tuple[DisputeLine, ...]
    next: DisputePlace | None
    counts: dict[Shown, int]


def list_disputes(
    user: User | AnonymousUser,
    sites: frozenset[UUID],
    wanted: DisputesWanted,
    *,
    at: datetime,
    limit: int,
) -> DisputeList:
    """Return disputes of these sites: those that wait the oldest first, others the latest first.

    Of a call that `user` reads blind nothing is there.
    """
    found = _of(user, sites)
    if wanted.site is not None:
        found = found.filter(signoff__call__site__slug=wanted.site)
    stands = _conditions(at)
    counts = found.aggregate(**{one.name: Count("pk", filter=stands[one]) for one in Shown})
    oldest_first = wanted.shown in (Shown.OPEN, Shown.OVERDUE)
    matching = found.filter(stands[wanted.shown])
    if wanted.place is not None:
        here = (Value(wanted.place.at), Value(wanted.place.id))
        matching = matching.filter(compare_rows((F("at"), F("id")), here, after=oldest_first))
    order = ("at", "id") if oldest_first else ("-at", "-id")
    rows = list(matching.order_by(*order).values(*_COLUMNS)[: limit + 1])
    lines = tuple(_line(row, at) for row in rows[:limit])
    return DisputeList(
        lines,
        lines[-1].place if len(rows) > limit else None,
        {one: counts[one.name] for one in Shown},
    )


def get_dispute(
    user: User | AnonymousUser, sites: frozenset[UUID], dispute_id: UUID, at: datetime
) -> DisputeLine | None:
    """Return a dispute of these sites; None for one not there, and for an erased call's."""
    found = _of(user, sites).filter(pk=dispute_id, signoff__call__erased_at=None)
    row = found.values(*_COLUMNS).first()
    return None if row is None else _line(row, at)


def waiting_dispute(call_id: UUID) -> UUID | None:
    """Return the dispute of a call that waits for an answer."""
    found = Dispute.objects.filter(signoff__call=call_id, signoff__void_at=None, end="")
    return found.values_list("pk", flat=True).first()


def phases_to_dispute(call_id: UUID) -> list[tuple[str, str]]:
    """Return the phases of a call in the catalog's order, each with its verdict."""
    found = PhaseRow.objects.filter(call=call_id).order_by("position")
    return list(found.values_list("phase", "verdict"))


def _of(user: User | AnonymousUser, sites: frozenset[UUID]) -> QuerySet[Dispute]:
    calls = Call.objects.filter(~hidden_from(user), site__in=sites)
    return Dispute.objects.filter(signoff__call__in=calls.values("pk"))


def _conditions(at: datetime) -> dict[Shown, Q]:
    return {
        Shown.OPEN: Q(end=""),
        Shown.OVERDUE: Q(end="", due__lt=at),
        Shown.ANSWERED: Q(end__in=ANSWERS),
        Shown.ALL: Q(),
    }


_COLUMNS: Final = (
    *("id", "signoff__call_id", "signoff__call__title", "signoff__call__external_id"),
    *("signoff__call__erased_at", "signoff__call__site_id", "signoff__call__site__name"),
    *("kind", "phase", "result", "by_id", "by__printed_name", "at", "due", "end", "ended_at"),
    *("ended_by__printed_name", "signoff__by_id", "signoff__by__printed_name", "signoff__at"),
    *("signoff__void_at", "note", "answer_note"),
)


def _line(row: dict[str, Any], at: datetime) -> DisputeLine:
    return DisputeLine(
        id=row["id"],
        call_id=row["signoff__call_id"],
        title=row["signoff__call__title"],
        external_id=row["signoff__call__external_id"],
        is_erased=row["signoff__call__erased_at"] is not None,
        site_id=row["signoff__call__site_id"],
        site_name=row["signoff__call__site__name"],
        kind=row["kind"],
        phase=row["phase"],
        result=row["result"],
        by=row["by_id"],
        filer=row["by__printed_name"],
        at=row["at"],
        due=row["due"],
        standing=standing_of(row["end"], row["due"], at),
        answerer=(row["ended_by__printed_name"] or "") if row["end"] in ANSWERS else "",
        ended_at=row["ended_at"],
        signed_by=row["signoff__by_id"],
        signer=row["signoff__by__printed_name"],
        signed_at=row["signoff__at"],
        stands=row["signoff__void_at"] is None,
        note=row["note"],
        answer_note=row["answer_note"],
    )
