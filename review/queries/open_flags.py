"""Rows of open calls that wait for a person: by class, and for how long.

A row waits from the day its call was received, as in the reviewers' queue; its class is what the
queue would give a call with this row alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models import (
    Aggregate,
    Case,
    Count,
    DateTimeField,
    F,
    IntegerField,
    Min,
    Q,
    Value,
    When,
)

from review.core.cascade.triage import FlagCode
from review.core.queue import AGE_LIMITS, OPEN_STATES, QueueClass
from review.models import PhaseRow, StandingCode
from review.queries.calls_list import compare_rows

#: The classes that a single row can have, the gravest first.
ROW_CLASSES: Final = (
    *(QueueClass.ORDER, QueueClass.CRITICAL, QueueClass.AMBIGUOUS),
    *(QueueClass.DOUBT, QueueClass.SECOND),
)


class FlagPlace(NamedTuple):
    """A place in the list: the row there, by its class and age. `forward` goes to younger ones."""

    rank: int
    since: datetime
    id: int
    forward: bool = True


@dataclass(frozen=True, slots=True)
class OpenFlag:
    """One row that waits; `flags` are its codes, the gravest first."""

    place: FlagPlace
    kind: QueueClass
    call_id: UUID
    title: str
    external_id: str
    site_name: str
    catalog: str
    phase: str
    flags: tuple[str, ...]
    since: datetime


@dataclass(frozen=True, slots=True)
class ClassAge:
    """The rows of one class: how many, how many past the limit, and since when."""

    kind: QueueClass
    number: int
    late: int
    oldest: datetime | None
    median: datetime | None


@dataclass(frozen=True, slots=True)
class OpenFlags:
    """One page, and the ages of every class at these sites."""

    lines: tuple[OpenFlag, ...]
    newer: FlagPlace | None
    older: FlagPlace | None
    ages: tuple[ClassAge, ...]


class _Median(Aggregate):
    """The middle one, as the database has it: a value that is there, not one between two."""

    function = "PERCENTILE_DISC"
    template = "%(function)s(0.5) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = DateTimeField()


def list_open_flags(
    sites: frozenset[UUID],
    *,
    at: datetime,
    limit: int,
    kind: QueueClass | None = None,
    late: bool = False,
    place: FlagPlace | None = None,
) -> OpenFlags:
    """Return a page of the rows that wait at these sites, the gravest and oldest first."""
    waiting = _waiting(sites)
    matching = waiting if kind is None else waiting.filter(kind=kind.value)
    if late:
        matching = matching.filter(_late(at))
    return OpenFlags(*_page(matching, limit, place), _ages(waiting, at))


#: Rows with their class and age beside them, which the type of a query set cannot say.
_Waiting = Any


def _waiting(sites: frozenset[UUID]) -> _Waiting:
    found = PhaseRow.objects.filter(
        call__site__in=sites, call__state__in=[one.value for one in OPEN_STATES]
    )
    return found.annotate(kind=_kind(), since=F("call__received_at")).filter(kind__isnull=False)


def _kind() -> Case:
    proposed = Q(standing=StandingCode.PROPOSED)
    order = (FlagCode.ORDER_VIOLATION.value, FlagCode.ORDER_UNCERTAIN.value)
    return Case(
        When(proposed & Q(flags__overlap=order), then=Value(QueueClass.ORDER.value)),
        When(
            proposed & Q(flags__contains=[FlagCode.SAFETY_CRITICAL.value]),
            then=Value(QueueClass.CRITICAL.value),
        ),
        When(proposed & Q(flags__len__gt=0), then=Value(QueueClass.AMBIGUOUS.value)),
        When(standing=StandingCode.DOUBTED, then=Value(QueueClass.DOUBT.value)),
        When(needs_second=True, then=Value(QueueClass.SECOND.value)),
        default=None,
        output_field=IntegerField(null=True),
    )


def _late(at: datetime) -> Q:
    over = (Q(kind=kind.value, since__lt=at - AGE_LIMITS[kind]) for kind in ROW_CLASSES)
    return reduce(or_, over)


def _ages(waiting: _Waiting, at: datetime) -> tuple[ClassAge, ...]:
    rows = (
        waiting.order_by()
        .values("kind")
        .annotate(
            number=Count("pk"),
            late=Count("pk", filter=_late(at)),
            oldest=Min("since"),
            median=_Median("since"),
        )
    )
    found = {row["kind"]: row for row in rows}
    nothing = {"number": 0, "late": 0, "oldest": None, "median": None}
    return tuple(
        ClassAge(
            kind,
            **{name: found.get(kind.value, nothing)[name] for name in nothing},
        )
        for kind in ROW_CLASSES
    )


_COLUMNS: Final = (
    *("id", "kind", "since", "phase", "flags", "call_id", "call__title", "call__external_id"),
    *("call__site__name", "call__catalog_version__catalog__slug"),
)


def _page(
    matching: _Waiting, limit: int, place: FlagPlace | None
) -> tuple[tuple[OpenFlag, ...], FlagPlace | None, FlagPlace | None]:
    forward = place is None or place.forward
    names = ("kind", "since", "id")
    found = matching
    if place is not None:
        here = (Value(place.rank), Value(place.since), Value(place.id))
        found = found.filter(compare_rows([F(name) for name in names], here, after=forward))
    ordered = found.order_by(*(name if forward else f"-{name}" for name in names))
    rows: list[Any] = list(ordered.values(*_COLUMNS)[: limit + 1])
    lines, more = [_line(row) for row in rows[:limit]], len(rows) > limit
    if not forward and not more:
        return _page(matching, limit, None)
    if not forward:
        lines.reverse()
    older = lines[-1].place if lines and (more or not forward) else None
    newer = lines[0].place._replace(forward=False) if lines and place is not None else None
    return tuple(lines), newer, older


def _line(row: dict[str, Any]) -> OpenFlag:
    return OpenFlag(
        place=FlagPlace(row["kind"], row["since"], row["id"]),
        kind=QueueClass(row["kind"]),
        call_id=row["call_id"],
        title=row["call__title"],
        external_id=row["call__external_id"],
        site_name=row["call__site__name"],
        catalog=row["call__catalog_version__catalog__slug"] or "",
        phase=row["phase"],
        flags=tuple(row["flags"]),
        since=row["since"],
    )
