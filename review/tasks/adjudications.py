"""The adjudicator's task: after the pre-fill and beside it, one call after the other.

A call's questions are put one by one; whatever goes wrong with one, its row stays open and flagged
and the others go on.
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta

from celery import shared_task

from review.actions.askings import (
    StartedAsking,
    Suggested,
    add_suggestion,
    claim_asking,
    end_asking,
    give_up_askings,
)
from review.actions.model_requests import Endpoint, StillAsked, endpoint_of
from review.core.cascade.adjudication import (
    Answer,
    Question,
    Reason,
    asking_digest,
    models_for,
    said_of,
)
from review.queries import cascade_of
from review.queries.adjudication import suggested_phases
from review.tasks.bells import ring_for_adjudications
from review.tasks.jobs import Job
from review.tasks.model_questions import Asker, Replied, ask_models, open_questions

logger = logging.getLogger(__name__)

WORKER = "adjudicator"
# An adjudicator shares its worker with pre-fills: after a while it rings again and lets them go.
SLICE = timedelta(seconds=5)


@shared_task(name="review.adjudicate_waiting", base=Job, acks_late=True)
def adjudicate_waiting(**_: object) -> int:
    """Ask about the open rows of calls that wait, for some seconds; ring again for the rest.

    Returns how many calls were looked at. Nothing happens, and nothing is connected to, unless a
    site has turned it on.
    """
    give_up_askings(at=_now())
    until = _now() + SLICE
    looked = 0
    while (started := claim_asking(at=_now())) is not None:
        looked += 1
        _attempt(started)
        if _now() > until:
            ring_for_adjudications()
            break
    return looked


def _attempt(started: StartedAsking) -> None:
    try:
        is_done = _ask_about(started)
    except Exception as error:
        # Its message may carry words of the call; only its class is kept.
        name = type(error).__name__
        logger.error("adjudicator, call %s, attempt %d: %s", started.call_id, started.attempt, name)
        is_done = False
    if is_done or started.is_last:
        end_asking(started=started, at=_now())


def _ask_about(started: StartedAsking) -> bool:
    """Ask what is to be asked about a call; return whether nothing is left."""
    endpoint = endpoint_of(started.site_id)
    if endpoint is None:
        return True
    is_done = True
    suggested = suggested_phases(started.run_id)
    for question in _questions(started, endpoint):
        if question.phase.id not in suggested:
            is_done = _settle(started, endpoint, question) and is_done
    return is_done


def _questions(started: StartedAsking, endpoint: Endpoint) -> tuple[Question, ...]:
    return open_questions(started.call_id, started.catalog_digest, endpoint)


def _settle(started: StartedAsking, endpoint: Endpoint, question: Question) -> bool:
    phase = question.phase.id
    document = cascade_of(started.catalog_digest).document
    models = models_for(document, phase, endpoint.models)
    asker = Asker(started.site_id, started.call_id, started.catalog_digest, WORKER)
    try:
        replied = ask_models(asker, endpoint, question, models)
    except StillAsked:
        if not started.is_last:
            return False
        replied = Replied(Answer(Reason.LOST), endpoint.models[:1])
    found = Suggested(
        phase=phase,
        answer=replied.answer,
        models=",".join(replied.models),
        requests=replied.requests,
        is_kept=replied.is_kept,
        digest=asking_digest(document.phase(phase), host=endpoint.host, models=models),
        answered=replied.answered,
        said=said_of(replied.answer, question),
    )
    add_suggestion(started=started, found=found, by=WORKER, at=_now())
    return True


def _now() -> datetime:
    return datetime.now(UTC)
