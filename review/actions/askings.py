"""The questions about a pre-fill as a job: claimed under a lease, suggestions added, ended.

Nothing here changes a row, an evaluation or a call: what a model says stands beside them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from oipsce_site.ledger.actors import worker
from oipsce_site.ledger.core.entry import About
from oipsce_site.ledger.record import record
from review.core.cascade.adjudication import Answer, Said, flag_of
from review.models import Asking, AskingState, PrefillRun, Promotion, Suggestion
from review.models.adjudication import MOST_ATTEMPTS
from review.models.promotion import LONGEST_LANGUAGE
from review.queries.adjudication import runs_to_ask_about, sites_asking
from review.queries.promotions import Measurable, standing_promotion

# Longer than a question with all its retries to two models may take.
LEASE = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class StartedAsking:
    """What a worker needs: which pre-fill and attempt, of which call of which site, and what reads
    it. `is_last`: what is still open after this attempt is not asked about again.
    """

    run_id: UUID
    attempt: int
    call_id: UUID
    site_id: UUID
    catalog_digest: str
    is_last: bool


def claim_asking(*, at: datetime) -> StartedAsking | None:
    """Take the pre-fill that waits for longest, at a site that is on; None when none waits."""
    sites = sites_asking()
    if not sites:
        return None
    with transaction.atomic():
        waiting = runs_to_ask_about(sites, at).select_for_update(of=("self",), skip_locked=True)
        run = waiting.values_list("pk", "call_id", "call__site_id", "catalog_digest").first()
        if run is None:
            return None
        run_id, call_id, site_id, catalog = run
        job, is_new = Asking.objects.get_or_create(
            run_id=run_id,
            defaults={"state": AskingState.RUNNING, "attempts": 1, "lease_until": at + LEASE},
        )
        if not is_new:
            job.attempts += 1
            job.lease_until = at + LEASE
            job.save(update_fields=["attempts", "lease_until"])
    is_last = job.attempts >= MOST_ATTEMPTS
    return StartedAsking(run_id, job.attempts, call_id, site_id, catalog, is_last)


def give_up_askings(*, at: datetime) -> int:
    """End the jobs whose last attempt was lost with its worker: their rows stay as they are."""
    lost = Asking.objects.filter(
        state=AskingState.RUNNING, lease_until__lt=at, attempts__gte=MOST_ATTEMPTS
    )
    return lost.update(state=AskingState.DONE, lease_until=None, ended_at=at)


def end_asking(*, started: StartedAsking, at: datetime) -> None:
    """Note that nothing of a pre-fill is left to ask, if the attempt still holds it."""
    mine = Asking.objects.filter(
        run_id=started.run_id, state=AskingState.RUNNING, attempts=started.attempt
    )
    mine.update(state=AskingState.DONE, lease_until=None, ended_at=at)


@dataclass(frozen=True, slots=True)
class Suggested:
    """What came of asking about a row: of which models, in which requests, kept from before.

    `digest` is what was asked of whom (`asking_digest`), `answered` who answered, `said` what that
    says of the row, None where nothing was sent.
    """

    phase: str
    answer: Answer
    models: str
    requests: Sequence[UUID] = ()
    is_kept: bool = False
    digest: str = ""
    answered: str = ""
    said: Said | None = None


def add_suggestion(*, started: StartedAsking, found: Suggested, by: str, at: datetime) -> bool:
    """Put what came of asking beside a row; the row stays open and flagged. Added twice, it is one.

    Returns whether it is new.
    """
    with transaction.atomic():
        # Two workers that were both told to ask: the first one's counts.
        run = PrefillRun.objects.select_for_update().get(pk=started.run_id)
        if Suggestion.objects.filter(run=run, phase=found.phase).exists():
            return False
        promotion = _promotion(started, run, found)
        Suggestion.objects.create(
            run=run,
            call_id=run.call_id,
            phase=found.phase,
            reason=found.answer.reason.value,
            asked=found.models,
            requests=[str(one) for one in found.requests],
            is_kept=found.is_kept,
            places=[list(place) for place in found.answer.proposals],
            digest=found.digest,
            answered=found.answered,
            said=found.said.value if found.said else "",
            promotion=promotion,
            at=at,
        )
        record(
            chain_id=run.call_id,
            about=About.CALL,
            kind="adjudicator.suggest",
            by=worker(by),
            at=at,
            facts={
                "run_id": str(run.pk),
                "phase": found.phase,
                "flag": flag_of(found.answer.reason).value,
                "reason": found.answer.reason.value,
                "places": len(found.answer.proposals),
                "requests": [str(one) for one in found.requests],
                "kept": found.is_kept,
                "asked_sha256": found.digest,
                "promotion": str(promotion.pk) if promotion else "",
            },
        )
    return True


def _promotion(started: StartedAsking, run: PrefillRun, found: Suggested) -> Promotion | None:
    """Return the promotion that holds for exactly what was asked of exactly who answered."""
    if not (found.digest and found.answered):
        return None
    language = (run.call.language or "")[:LONGEST_LANGUAGE]
    asked = Measurable(found.phase, language, found.digest, found.answered)
    return standing_promotion(asked, started.site_id)
