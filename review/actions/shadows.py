"""Versions in shadow: the pre-fill leaves them calls, and any number of workers read these.

A worker that is killed loses nothing and doubles nothing: its calls are taken up again when the
lease ends, and a call has one line of a trial at most. Nothing that a shadow finds or fails at
touches the call, so none of it is an entry of the call's chain; the counts are in the entry of
whoever lets the version decide or ends its trial.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q

from catalogs.core.document.trials import try_out
from catalogs.queries import document_of
from catalogs.queries.documents import Shadow
from oipsce_site.rows import insert_rows
from review.actions.proposals import Finished
from review.actions.reading_again import columns_of_compared, read_calls_again
from review.core.cascade.pipeline import scalar_attributes
from review.core.whatif import Compared
from review.models import Call, ShadowLine, ShadowRun, ShadowState
from review.queries.cascades import cascade_of
from review.queries.shadows import shadow_waits
from review.queries.what_if_calls import standing_calls

# Longer than reading so many calls takes.
LEASE = timedelta(seconds=90)
MOST_ATTEMPTS = 3


class ClaimedShadow(NamedTuple):
    """A run in a worker's hands: which attempt, of which call, and the version that reads it."""

    run_id: int
    attempt: int
    trial_id: UUID
    call_id: UUID
    digest: str


class ComparedShadow(NamedTuple):
    """What a run came to: the digest of what judges the call, and what the shadow makes of it;
    None for a call that could not be compared.
    """

    claimed: ClaimedShadow
    judged_by: str
    compared: Compared | None


def queue_shadows(finished: Sequence[Finished], shadows: Mapping[str, Shadow]) -> None:
    """Leave calls whose pre-fill is being stored to the shadows of their catalogs, each once.

    Inside the transaction of the pre-fill: there is no filled call that its shadow will not read.
    """
    trials = {slug: (one.document, one.trial) for slug, one in shadows.items()}
    wanted = []
    for one in finished:
        judges, call = document_of(one.run.catalog_digest), one.judged.call
        if judges.slug not in trials or call.date is None:
            continue
        site = one.stored.site.slug
        tried = try_out(judges, trials, scalar_attributes(call), call.date, None, site)
        if tried.beside is not None and tried.beside.digest != judges.digest:
            shadow = shadows[judges.slug]
            wanted.append({"trial_id": shadow.trial_id, "call_id": one.stored.pk, **_WAITING})
    insert_rows(ShadowRun._meta.db_table, wanted, ending="ON CONFLICT DO NOTHING")


_WAITING = {"state": ShadowState.WAITING.value, "attempts": 0, "failure": ""}


def claim_shadows(*, most: int, at: datetime) -> list[ClaimedShadow]:
    """Take up to `most` calls that wait for a shadow, or whose worker was lost, under a lease.

    One that was tried before is taken alone, so that a call which kills its worker takes no other
    with it. After the last attempt it is given up.
    """
    with transaction.atomic():
        waiting = ShadowRun.objects.filter(shadow_waits(at))
        waiting.filter(attempts__gte=MOST_ATTEMPTS).update(
            state=ShadowState.FAILED, lease_until=None, failure="its workers were lost"
        )
        found = list(
            waiting.select_for_update(skip_locked=True, of=("self",))
            .select_related("trial__version")
            .defer("trial__version__source")
            .order_by("attempts", "id")[:most]
        )
        taken = [one for one in found if one.attempts == 0] or found[:1]
        ids = [one.pk for one in taken]
        ShadowRun.objects.filter(pk__in=ids).update(
            attempts=F("attempts") + 1, lease_until=at + LEASE
        )
    return [
        ClaimedShadow(one.pk, one.attempts + 1, one.trial_id, one.call_id, one.trial.version.digest)
        for one in taken
    ]


def compare_shadows(claimed: Sequence[ClaimedShadow]) -> list[ComparedShadow]:
    """Read claimed calls by their versions in shadow. Nothing is stored."""
    by_version: dict[str, list[ClaimedShadow]] = defaultdict(list)
    for one in claimed:
        by_version[one.digest].append(one)
    return [
        compared for digest, group in by_version.items() for compared in _compare(digest, group)
    ]


def store_shadows(*, compared: Sequence[ComparedShadow], at: datetime) -> None:
    """Store what shadows said, of those runs that are still in this worker's hands.

    A call that was erased meanwhile gets no line.
    """
    with transaction.atomic():
        ids = sorted(one.claimed.call_id for one in compared)
        calls = Call.objects.select_for_update(of=("self",)).filter(pk__in=ids, erased_at=None)
        there = set(calls.order_by("pk").values_list("pk", flat=True))
        held = _still_held([one.claimed for one in compared])
        mine = [one for one in compared if one.claimed.run_id in held]
        said = [
            (one, one.compared)
            for one in mine
            if one.compared is not None and one.claimed.call_id in there
        ]
        insert_rows(
            ShadowLine._meta.db_table,
            [
                {
                    "trial_id": one.claimed.trial_id,
                    "call_id": one.claimed.call_id,
                    "judged_by": one.judged_by,
                    "at": at,
                    **columns_of_compared(result),
                }
                for one, result in said
            ],
            ending="ON CONFLICT DO NOTHING",
        )
        done = {one.claimed.run_id for one, _ in said}
        ShadowRun.objects.filter(pk__in=done).update(state=ShadowState.DONE, lease_until=None)
        unread = {one.claimed.run_id for one in mine} - done
        ShadowRun.objects.filter(pk__in=unread).update(state=ShadowState.UNREAD, lease_until=None)


def fail_shadow(*, claimed: ClaimedShadow, failure: str) -> None:
    """Note that an attempt failed; after the last one the run is given up.

    `failure` is a class of error, never words of a call.
    """
    run = ShadowRun.objects.filter(_held(claimed))
    if claimed.attempt >= MOST_ATTEMPTS:
        run.update(state=ShadowState.FAILED, lease_until=None, failure=failure)
    else:
        run.update(lease_until=None, failure=failure)


def _compare(digest: str, claimed: Sequence[ClaimedShadow]) -> list[ComparedShadow]:
    calls = standing_calls([one.call_id for one in claimed])
    judges = {one.id: one.catalog_digest for one in calls}
    read = {UUID(one.id): one for one in read_calls_again(cascade_of(digest), calls)}
    return [
        ComparedShadow(one, judges.get(one.call_id, ""), read.get(one.call_id)) for one in claimed
    ]


def _still_held(claimed: Sequence[ClaimedShadow]) -> set[int]:
    fences = Q(pk__in=[])
    for one in claimed:
        fences |= _held(one)
    locked = ShadowRun.objects.select_for_update().filter(fences).order_by("pk")
    return set(locked.values_list("pk", flat=True))


def _held(claimed: ClaimedShadow) -> Q:
    return Q(pk=claimed.run_id, attempts=claimed.attempt, state=ShadowState.WAITING)
