"""Candidates by wording as a job: claimed under a lease, found once, stored beside the rows.

Nothing here changes a row, an evaluation or a call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection, transaction

from oipsce_site.ledger.actors import worker
from oipsce_site.ledger.core.entry import About
from oipsce_site.ledger.record import record
from review.core.cascade.candidates import Candidates
from review.core.digests import digest
from review.models import (
    AskingState,
    CandidateSearch,
    CandidateTurns,
    CatalogWording,
    PrefillRun,
)
from review.models.adjudication import MOST_ATTEMPTS
from review.queries.candidates import is_searching, runs_to_search

# A call of 60 turns takes a second; one of 1,500, on a machine that does much else, some minutes.
LEASE = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class StartedSearch:
    """What a worker needs: which pre-fill and attempt, of which call, by which catalog."""

    run_id: UUID
    attempt: int
    call_id: UUID
    catalog_digest: str


@dataclass(frozen=True, slots=True)
class Found:
    """What was found, by which model and texts; nothing where no item was open."""

    model: str
    model_digest: str
    texts_digest: str
    candidates: Sequence[Candidates]


def claim_search(*, at: datetime) -> StartedSearch | None:
    """Take the pre-fill that was finished last; None when none waits, or while another is searched:
    one call at a time is what this may cost.
    """
    with transaction.atomic():
        # Of two workers that come at once the second finds what the first has claimed.
        with connection.cursor() as cursor:
            cursor.execute("select pg_advisory_xact_lock(hashtextextended('candidates', 17))")
        if is_searching(at):
            return None
        waiting = runs_to_search(at).select_for_update(of=("self",), skip_locked=True)
        run = waiting.values_list("pk", "call_id", "catalog_digest").first()
        if run is None:
            return None
        run_id, call_id, catalog = run
        job, is_new = CandidateSearch.objects.get_or_create(
            run_id=run_id,
            defaults={"state": AskingState.RUNNING, "attempts": 1, "lease_until": at + LEASE},
        )
        if not is_new:
            job.attempts += 1
            job.lease_until = at + LEASE
            job.save(update_fields=["attempts", "lease_until"])
    return StartedSearch(run_id, job.attempts, call_id, catalog)


def give_up_searches(*, at: datetime) -> int:
    """End the jobs whose last attempt was lost with its worker: their cards have no candidates."""
    lost = CandidateSearch.objects.filter(
        state=AskingState.RUNNING, lease_until__lt=at, attempts__gte=MOST_ATTEMPTS
    )
    return lost.update(state=AskingState.DONE, lease_until=None, ended_at=at)


def fail_search(*, started: StartedSearch, at: datetime) -> None:
    """Let go of a search that failed, if the attempt still holds it; the last one ends the job."""
    mine = CandidateSearch.objects.filter(
        run_id=started.run_id, state=AskingState.RUNNING, attempts=started.attempt
    )
    if started.attempt >= MOST_ATTEMPTS:
        mine.update(state=AskingState.DONE, lease_until=None, ended_at=at)
    else:
        # Free at once for the next attempt.
        mine.update(lease_until=at)


def keep_wording(*, catalog: str, found: Found, vectors: bytes, at: datetime) -> None:
    """Keep the vectors of a catalog's texts. Kept twice, they are there once."""
    CatalogWording.objects.get_or_create(
        catalog_digest=catalog,
        model_digest=found.model_digest,
        texts_digest=found.texts_digest,
        defaults={"vectors": vectors, "made_at": at},
    )


def add_candidates(*, started: StartedSearch, found: Found, by: str, at: datetime) -> bool:
    """Put what was found beside the rows of a call, and end the search. Added twice, it is one.

    Returns whether it is new.
    """
    with transaction.atomic():
        # Two workers that both had the job: the first one's counts.
        run = PrefillRun.objects.select_for_update().get(pk=started.run_id)
        if CandidateTurns.objects.filter(run=run).exists():
            return False
        places = [[one.phase, one.item, list(one.turns)] for one in found.candidates]
        CandidateTurns.objects.create(
            run=run,
            call_id=run.call_id,
            model=found.model,
            model_digest=found.model_digest,
            transcript_digest=run.transcript_digest,
            catalog_digest=run.catalog_digest,
            texts_digest=found.texts_digest,
            places=places,
            at=at,
        )
        CandidateSearch.objects.filter(run=run).update(
            state=AskingState.DONE, lease_until=None, ended_at=at
        )
        record(
            chain_id=run.call_id,
            about=About.CALL,
            kind="candidates.find",
            by=worker(by),
            at=at,
            facts={
                "run_id": str(run.pk),
                "model": found.model,
                "model_sha256": found.model_digest,
                "transcript_digest": run.transcript_digest,
                "catalog_digest": run.catalog_digest,
                "texts_digest": found.texts_digest,
                "items": len(places),
                "places_digest": digest(places),
            },
        )
    return True
