"""What trials of a version came to: shadows in counts and examples, canaries in calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, F, Q, QuerySet
from django.db.models.expressions import Window
from django.db.models.functions import RowNumber

from catalogs.models import VersionTrial
from oipsce_site.people.models import User
from review.core.whatif.reach import WhatIfReach
from review.models import Call, ShadowLine, ShadowRun, ShadowState, State
from review.queries.what_ifs import LineRow, show_lines


@dataclass(frozen=True, slots=True)
class TrialRow:
    """One trial of a version: how it was tried, from whom and when to when, and how it ended."""

    id: UUID
    mode: str
    share: int
    first_day: date
    by: str
    begun_at: datetime
    ended_by: str
    ended_at: datetime | None
    end: str
    decides_from: date | None


@dataclass(frozen=True, slots=True)
class ShadowCounts:
    """What the shadow of a version came to, in calls: all of them and those that are signed now.

    `changes` is by the name of the change. `waiting` calls are still to be read, `unread` ones were
    erased or moved on first, `failed` ones were given up.
    """

    changes: Mapping[str, tuple[int, int]]
    annotate: tuple[int, int]
    waiting: int
    unread: int
    failed: int

    @property
    def calls(self) -> int:
        """How many calls were read."""
        return sum(calls for calls, _ in self.changes.values())


@dataclass(frozen=True, slots=True)
class CanaryCounts:
    """The calls that came while a canary ran: those it judged, and all that it drew from. `beside`
    is the version that judged most of the others (id and number), None where none did.
    """

    judged: int
    calls: int
    beside: tuple[UUID, str] | None


def shadow_waits(at: datetime) -> Q:
    """Return the condition of a call that a worker may take for a shadow."""
    free = Q(lease_until__isnull=True) | Q(lease_until__lt=at)
    return Q(state=ShadowState.WAITING) & free


def count_waiting_shadows(at: datetime) -> int:
    """Count the calls that wait for a shadow."""
    return ShadowRun.objects.filter(shadow_waits(at)).count()


def list_trials(version_id: UUID) -> tuple[TrialRow, ...]:
    """Return the trials of a version, the latest first."""
    found = VersionTrial.objects.filter(version=version_id).select_related("begun_by", "ended_by")
    return tuple(
        TrialRow(
            one.pk,
            one.mode,
            one.share,
            one.first_day,
            one.begun_by.printed_name,
            one.begun_at,
            one.ended_by.printed_name if one.ended_by else "",
            one.ended_at,
            one.end,
            one.decides_from,
        )
        for one in found.order_by("-begun_at", "-id")
    )


def count_shadow(version_id: UUID, sites: frozenset[UUID] | None) -> ShadowCounts:
    """Count what the shadow of a version said of the calls of these sites (None: all)."""
    lines = _at(sites, ShadowLine.objects.filter(trial__version=version_id))
    runs = _at(sites, ShadowRun.objects.filter(trial__version=version_id))
    signed = Count("pk", filter=Q(call__state=State.SIGNED))
    found = lines.order_by().values_list("change").annotate(calls=Count("pk"), signed=signed)
    changes = {change: (calls, of_them) for change, calls, of_them in found}
    to_annotate = lines.exclude(annotate=[]).aggregate(calls=Count("pk"), signed=signed)
    states = dict(runs.order_by().values_list("state").annotate(Count("pk")))
    return ShadowCounts(
        changes,
        (to_annotate["calls"], to_annotate["signed"]),
        states.get(ShadowState.WAITING, 0),
        states.get(ShadowState.UNREAD, 0),
        states.get(ShadowState.FAILED, 0),
    )


def shadow_examples(
    version_id: UUID, reach: WhatIfReach, user: User | AnonymousUser, *, most: int
) -> list[LineRow]:
    """Return the first calls of each change that a shadow makes, `most` of each, signed ones first.

    What is read blind or at a site whose calls the person does not read has no name and no rows.
    """
    place = Window(
        RowNumber(), partition_by=F("change"), order_by=[F("signed").desc(), F("id").asc()]
    )
    lines = _at(reach.sees, ShadowLine.objects.filter(trial__version=version_id))
    says = lines.exclude(change="SAME", rows=[], edges=[], annotate=[])
    first = says.annotate(signed=Q(call__state=State.SIGNED)).annotate(place=place)
    shown = first.filter(place__lte=most).order_by("change", "place")
    return list(show_lines(shown, reach.reads, user))


def count_canary(trial: TrialRow, version_id: UUID, sites: frozenset[UUID] | None) -> CanaryCounts:
    """Count the calls that came while a canary ran, dated from its first day on."""
    [catalog] = VersionTrial.objects.filter(pk=trial.id).values_list("catalog_id", flat=True)
    came = Call.objects.filter(
        catalog_version__catalog=catalog,
        received_at__gte=trial.begun_at,
        call_date__gte=trial.first_day,
    )
    if trial.ended_at is not None:
        came = came.filter(received_at__lt=trial.ended_at)
    if sites is not None:
        came = came.filter(site__in=sites)
    found = list(
        came.order_by()
        .values_list("catalog_version", "catalog_version__version")
        .annotate(calls=Count("pk"))
        .order_by("-calls", "catalog_version")
    )
    others = [(one, number) for one, number, _ in found if one != version_id]
    return CanaryCounts(
        judged=sum(calls for one, _, calls in found if one == version_id),
        calls=sum(calls for _, _, calls in found),
        beside=others[0] if others else None,
    )


def _at(sites: frozenset[UUID] | None, rows: QuerySet[Any]) -> QuerySet[Any]:
    return rows if sites is None else rows.filter(call__site__in=sites)
