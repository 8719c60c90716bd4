"""Calibration rounds as pages and actions read them. Nothing here opens the words of a call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from catalogs.models import CatalogVersion, VersionState
from oipsce_site.people.models import Site, User
from review.core.calibration import (
    Calibrating,
)
from review.models import (
    CalibrationRater,
    CalibrationRating,
    CalibrationRound,
    Call,
    RoundStateCode,
    State,
)

_RATED_STATES = (
    *(State.AWAITING_REVIEW, State.IN_REVIEW, State.AWAITING_SECOND_READER),
    *(State.SIGNED, State.REOPENED),
)
#: By rater and call, how many rows are rated.
Rated = dict[tuple[int, int], int]


def eligible_calls(site_id: UUID, catalog_id: UUID) -> QuerySet[Call]:
    """Return the calls of a site that can be rated by a catalog, the latest first.

    They are those that a version of the same catalog judges; where it has judged none yet, all.
    """
    calls = Call.objects.filter(site=site_id, state__in=_RATED_STATES, erased_at=None)
    same = calls.filter(catalog_version__catalog=catalog_id)
    chosen = same if same.exists() else calls
    return chosen.order_by("-call_date", "-received_at", "pk")


@dataclass(frozen=True, slots=True)
class RoundLine:
    """One round in a list. `mine` says that the person rates in it and is not done yet."""

    id: UUID
    title: str
    number: int
    state: str
    site_name: str
    calls: int
    raters: tuple[str, ...]
    done: int
    opened_at: datetime
    mine: bool
    summary: str


def list_rounds(user: User, at: Calibrating, *, limit: int = 100) -> list[RoundLine]:
    """Return the rounds that a person rates in or sees, the latest first, in three queries."""
    rounds = _seen(user, at).select_related("site")
    found = rounds.prefetch_related("raters", "calls").order_by("-opened_at", "pk")[:limit]
    return [_line(one, user) for one in found]


def _seen(user: User | AnonymousUser, at: Calibrating) -> QuerySet[CalibrationRound]:
    if at.sees is None:
        return CalibrationRound.objects.all()
    own = Q(raters__person=user.pk, site__in=at.reads)
    return CalibrationRound.objects.filter(own | Q(site__in=at.sees)).distinct()


def _line(one: CalibrationRound, user: User) -> RoundLine:
    raters = list(one.raters.all())
    open_mine = any(rater.person_id == user.pk and rater.done_at is None for rater in raters)
    return RoundLine(
        id=one.pk,
        title=one.title,
        number=one.number,
        state=one.state,
        site_name=one.site.name,
        calls=len(one.calls.all()),
        raters=tuple(rater.name for rater in raters),
        done=sum(rater.done_at is not None for rater in raters),
        opened_at=one.opened_at,
        mine=open_mine and one.state == RoundStateCode.RATING,
        summary=str((one.figures or {}).get("summary", "")),
    )


@dataclass(frozen=True, slots=True)
class RaterLine:
    """One rater of a round: how many rows of how many they have rated."""

    position: int
    name: str
    rated: int
    done_at: datetime | None
    seen_before: bool


@dataclass(frozen=True, slots=True)
class CallLine:
    """One call of a round; `mine` is how many rows the person has rated, None for who does not
    rate. `name` is the call's own id in its source, for who reads calls of the site; else empty.
    """

    position: int
    call_id: UUID | None
    name: str
    mine: int | None


@dataclass(frozen=True, slots=True)
class StoredRound:
    """One round as its pages show it, and what the person may do with it."""

    id: UUID
    site_id: UUID
    site_name: str
    kind: str
    state: str
    number: int
    title: str
    slug: str
    version: str
    version_id: UUID | None
    document_digest: str
    phases: tuple[str, ...]
    opened_by: str
    opened_at: datetime
    over_by: str
    over_at: datetime | None
    figures: Mapping[str, Any] | None
    previous: UUID | None
    calls: tuple[CallLine, ...]
    raters: tuple[RaterLine, ...]
    is_rater: bool
    is_done: bool
    holds: bool


def get_round_for(user: User, at: Calibrating, round_id: UUID) -> StoredRound | None:
    """Return a round that a person rates in or sees; None for any other."""
    beside = ("site", "version__catalog", "opened_by", "over_by")
    one = _seen(user, at).select_related(*beside).filter(pk=round_id).first()
    if one is None:
        return None
    return _stored(one, user, at)


def _stored(one: CalibrationRound, user: User, at: Calibrating) -> StoredRound:
    own = next((rater for rater in one.raters.all() if rater.person_id == user.pk), None)
    rated = _counts(one)
    version = one.version
    return StoredRound(
        id=one.pk,
        site_id=one.site_id,
        site_name=one.site.name,
        kind=one.kind,
        state=one.state,
        number=one.number,
        title=one.title,
        slug="" if version is None else version.catalog.slug,
        version="" if version is None else version.version,
        version_id=one.version_id,
        document_digest=one.document_digest,
        phases=tuple(one.phases),
        opened_by="" if one.opened_by is None else one.opened_by.printed_name,
        opened_at=one.opened_at,
        over_by="" if one.over_by is None else one.over_by.printed_name,
        over_at=one.over_at,
        figures=one.figures,
        previous=one.previous_id,
        calls=_calls(one, own, rated, reads=one.site_id in at.reads),
        raters=_raters(one, rated),
        is_rater=own is not None and one.site_id in at.reads,
        is_done=own is not None and own.done_at is not None,
        holds=at.holds is None or one.site_id in at.holds,
    )


def _calls(
    one: CalibrationRound, own: CalibrationRater | None, rated: Rated, *, reads: bool
) -> tuple[CallLine, ...]:
    return tuple(
        CallLine(
            call.position,
            call.call_id,
            call.name if reads or call.call_id is None else "",
            None if own is None else rated.get((own.pk, call.pk), 0),
        )
        for call in one.calls.all()
    )


def _raters(one: CalibrationRound, rated: Rated) -> tuple[RaterLine, ...]:
    return tuple(
        RaterLine(
            rater.position,
            rater.name,
            sum(count for (pk, _), count in rated.items() if pk == rater.pk),
            rater.done_at,
            rater.seen_before,
        )
        for rater in one.raters.all()
    )


def _counts(one: CalibrationRound) -> Rated:
    """Return by rater and call how many rows are rated."""
    pairs = CalibrationRating.objects.filter(rater__round=one.pk)
    rated = set(pairs.values_list("rater_id", "call_id", "phase"))
    found: dict[tuple[int, int], int] = {}
    for rater, call, _ in rated:
        found[rater, call] = found.get((rater, call), 0) + 1
    return found


@dataclass(frozen=True, slots=True)
class VersionOption:
    """A version that a round can be of."""

    id: UUID
    name: str
    catalog_id: UUID


def list_open_versions() -> list[VersionOption]:
    """Return the versions that can be calibrated, drafts first."""
    order = {VersionState.DRAFT: 0, VersionState.IN_REVIEW: 1, VersionState.PUBLISHED: 2}
    rows = CatalogVersion.objects.exclude(state=VersionState.RETIRED).select_related("catalog")
    found = sorted(
        rows.defer("source").order_by("catalog__slug", "-effective_from", "version"),
        key=lambda row: order[VersionState(row.state)],
    )
    return [
        VersionOption(
            row.pk,
            f"{row.catalog.slug} {row.version} ({VersionState(row.state).label})",
            row.catalog_id,
        )
        for row in found
    ]


def list_round_sites(sites: frozenset[UUID] | None) -> list[Site]:
    """Return these sites by name, all that are in use for None."""
    found = Site.objects.filter(retired_at__isnull=True)
    return list((found if sites is None else found.filter(pk__in=sites)).order_by("name"))


@dataclass(frozen=True, slots=True)
class CallOption:
    """A call that a round can be of, for who reads calls of the site."""

    id: UUID
    external_id: str
    call_date: date | None


def list_call_options(site_id: UUID, catalog_id: UUID, *, limit: int = 40) -> list[CallOption]:
    """Return the latest calls that a round of the catalog can be of."""
    rows = eligible_calls(site_id, catalog_id)[:limit]
    return [CallOption(row.pk, row.external_id, row.call_date) for row in rows]
