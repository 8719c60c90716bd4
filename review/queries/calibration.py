"""Calibration rounds as pages and actions read them. Nothing here opens the words of a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from catalogs.core.document import Document, load_document
from catalogs.models import CatalogVersion, VersionState
from oipsce_site.people.models import Site, User
from review.core.agreement import RatedCall
from review.core.calibration import (
    Calibrating,
    Difference,
    Rating,
    Said,
    differences_of,
    edges_of,
    rated_calls,
    rating_from_json,
)
from review.core.predicates.plan import plan_of
from review.core.transcript.storing import attributes_from_plain
from review.models import (
    CalibrationCall,
    CalibrationDecision,
    CalibrationRater,
    CalibrationRating,
    CalibrationRound,
    Call,
    RoundKind,
    RoundStateCode,
    State,
)

_RATED_STATES = (
    *(State.AWAITING_REVIEW, State.IN_REVIEW, State.AWAITING_SECOND_READER),
    *(State.SIGNED, State.REOPENED),
)
Ratings = Mapping[str, Rating]


def eligible_calls(site_id: UUID, catalog_id: UUID) -> QuerySet[Call]:
    """Return the calls of a site that can be rated by a catalog, the latest first.

    They are those that a version of the same catalog judges; where it has judged none yet, all.
    """
    calls = Call.objects.filter(site=site_id, state__in=_RATED_STATES).exclude(wrapped_key=b"")
    same = calls.filter(catalog_version__catalog=catalog_id)
    chosen = same if same.exists() else calls
    return chosen.order_by("-call_date", "-received_at", "pk")


@lru_cache(maxsize=32)
def round_document(round_id: UUID) -> Document:
    """Return the catalog that a round is rated by. Raises ValueError where it has none."""
    source = CalibrationRound.objects.values_list("source", flat=True).get(pk=round_id)
    document, _ = load_document(bytes(source))
    if document is None:
        raise ValueError(f"the text of calibration round {round_id} cannot be read")
    return document


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
    raters = list(one.raters.all())
    rated = _counts(one)
    own = next((rater for rater in raters if rater.person_id == user.pk), None)
    reads = one.site_id in at.reads
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
        calls=tuple(
            CallLine(
                call.position,
                call.call_id,
                call.name if reads or call.call_id is None else "",
                None if own is None else rated.get((own.pk, call.pk), 0),
            )
            for call in one.calls.all()
        ),
        raters=tuple(
            RaterLine(
                rater.position,
                rater.name,
                sum(count for (pk, _), count in rated.items() if pk == rater.pk),
                rater.done_at,
                rater.seen_before,
            )
            for rater in raters
        ),
        is_rater=own is not None and reads,
        is_done=own is not None and own.done_at is not None,
        holds=at.holds is None or one.site_id in at.holds,
    )


def _counts(one: CalibrationRound) -> dict[tuple[int, int], int]:
    """Return by rater and call how many rows are rated."""
    pairs = CalibrationRating.objects.filter(rater__round=one.pk)
    rated = set(pairs.values_list("rater_id", "call_id", "phase"))
    found: dict[tuple[int, int], int] = {}
    for rater, call, _ in rated:
        found[rater, call] = found.get((rater, call), 0) + 1
    return found


def own_ratings(user: User, round_id: UUID, position: int) -> dict[str, Rating]:
    """Return what a rater has said of one call so far, by phase."""
    said = CalibrationRating.objects.filter(
        rater__round=round_id, rater__person=user, call__position=position
    )
    return _latest(said)


def _latest(said: QuerySet[CalibrationRating]) -> dict[str, Rating]:
    rows = said.order_by("pk").values_list("phase", "value")
    return {phase: rating_from_json(value) for phase, value in rows}


def _all_ratings(
    round_id: UUID, calls: Sequence[CalibrationCall], raters: Sequence[CalibrationRater]
) -> list[list[Ratings]]:
    """Return what every rater said, by call and then rater."""
    found: dict[tuple[int, int], dict[str, Rating]] = {}
    rows = CalibrationRating.objects.filter(rater__round=round_id).order_by("pk")
    for rater, call, phase, value in rows.values_list("rater_id", "call_id", "phase", "value"):
        found.setdefault((call, rater), {})[phase] = rating_from_json(value)
    return [[found.get((call.pk, rater.pk), {}) for rater in raters] for call in calls]


@dataclass(frozen=True, slots=True)
class DecidedLine:
    """What was decided on a difference: who was right (a rater's name, or none), and the words."""

    right: str
    why: str
    change: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class PlacedDifference:
    """A difference on one call of a round, and what was decided on it, if anything was."""

    position: int
    difference: Difference
    decision: DecidedLine | None


def differences_of_round(round_id: UUID) -> tuple[PlacedDifference, ...]:
    """Return the differences of a round, by call and row. Only for rounds that all have rated."""
    one = CalibrationRound.objects.get(pk=round_id)
    calls, raters = list(one.calls.all()), list(one.raters.all())
    if one.kind == RoundKind.CHECKLIST:
        return _differing_marks(one, calls)
    names = {rater.position: rater.name for rater in raters}
    decided = _decisions(round_id, names)
    return tuple(
        PlacedDifference(call.position, difference, decided.get((call.pk, difference.phase)))
        for call, said in zip(calls, _all_ratings(round_id, calls, raters), strict=True)
        for difference in differences_of(one.phases, said)
    )


def _differing_marks(
    one: CalibrationRound, calls: Sequence[CalibrationCall]
) -> tuple[PlacedDifference, ...]:
    """Return the items that all have on their lists and mark differently."""
    return tuple(
        PlacedDifference(call.position, Difference(item, (Said("Mark", marks),)), None)
        for call, table in zip(calls, marks_of(one), strict=True)
        for item, marks in table.items()
        if None not in marks and len(set(marks)) > 1
    )


def marks_of(one: CalibrationRound) -> list[dict[str, tuple[str | None, ...]]]:
    """Return of a checklist round, by call and item, the mark that each rater gave."""
    raters = list(one.raters.values_list("pk", flat=True))
    found: dict[int, dict[str, dict[int, str]]] = {}
    rows = CalibrationRating.objects.filter(rater__round=one.pk).order_by("pk")
    for rater, call, item, value in rows.values_list("rater_id", "call_id", "phase", "value"):
        found.setdefault(call, {}).setdefault(item, {})[rater] = value["mark"]
    return [
        {
            item: tuple(given.get(rater) for rater in raters)
            for item, given in found.get(call, {}).items()
        }
        for call in one.calls.values_list("pk", flat=True)
    ]


def _decisions(round_id: UUID, names: Mapping[int, str]) -> dict[tuple[int, str], DecidedLine]:
    rows = CalibrationDecision.objects.filter(round=round_id).select_related("by").order_by("pk")
    return {
        (row.call_id, row.phase): DecidedLine(
            "" if row.right is None else names.get(row.right, ""),
            row.why,
            row.change,
            row.by.printed_name,
            row.at,
        )
        for row in rows
    }


def rated_calls_of(one: CalibrationRound) -> tuple[RatedCall, ...]:
    """Return the calls of a round with what every rater said, as agreement is measured on them."""
    calls = list(one.calls.select_related("call"))
    said = _all_ratings(one.pk, calls, list(one.raters.all()))
    if not bytes(one.source):
        return rated_calls(one.phases, said, [[{} for _ in raters] for raters in said])
    plan = plan_of(round_document(one.pk))
    edges = []
    for call, raters in zip(calls, said, strict=True):
        attributes = _scalars(call.call)
        ended = None if call.call is None else call.call.ended
        edges.append(
            [edges_of(plan, rater, attributes=attributes, ended=ended) for rater in raters]
        )
    return rated_calls(one.phases, said, edges)


def _scalars(call: Call | None) -> dict[str, Any]:
    if call is None:
        return {}
    plain = attributes_from_plain(call.attributes)
    return {name: value for name, value in plain.items() if not isinstance(value, tuple)}


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
