"""Checks of models: the same question as usual and otherwise, call by call (guard rule 9)."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta

from celery import shared_task

from review.actions.model_checks import (
    Checked,
    ClaimedCheck,
    claim_check,
    release_check,
    store_checked,
)
from review.actions.model_requests import StillAsked
from review.core.cascade.adjudication import (
    Question,
    Reason,
    Variant,
    asking_digest,
    is_flipped,
    models_for,
    said_of,
    vary,
)
from review.queries import cascade_of
from review.tasks.bells import ring_for_model_checks
from review.tasks.jobs import Job
from review.tasks.model_questions import Asker, Replied, ask_models, open_questions

logger = logging.getLogger(__name__)

WORKER = "model_check"
# A check shares its worker with pre-fills and with rows that wait.
SLICE = timedelta(seconds=5)
_STOPPING = {
    Reason.OFF: "The site's models were switched off.",
    Reason.PAUSED: "The endpoint failed several times in a row; order the check again later.",
}


class _Stopped(Exception):
    """Nothing is sent at this moment; what was found of the call counts."""

    def __init__(self, why: str, rows: list[Checked]) -> None:
        super().__init__(why)
        self.why, self.rows = why, rows


@shared_task(name="review.check_models", base=Job, acks_late=True)
def check_models(**_: object) -> int:
    """Work at the checks that wait, for some seconds; ring again for the rest.

    Returns how many calls were looked at.
    """
    until = _now() + SLICE
    looked = 0
    while (claimed := claim_check(by=WORKER, at=_now())) is not None:
        looked += 1
        _attempt(claimed)
        if _now() > until:
            ring_for_model_checks()
            break
    return looked


def _attempt(claimed: ClaimedCheck) -> None:
    try:
        rows, why = _checked(claimed), ""
    except _Stopped as stopped:
        rows, why = stopped.rows, stopped.why
    except StillAsked:
        release_check(claimed=claimed, at=_now())
        return
    except Exception as error:
        # Its message may carry words of the call; only its class is kept.
        name = type(error).__name__
        logger.error("check %s, call %s: %s", claimed.check_id, claimed.call_id, name)
        release_check(claimed=claimed, at=_now())
        return
    store_checked(claimed=claimed, rows=rows, stop=why, by=WORKER, at=_now())


def _checked(claimed: ClaimedCheck) -> list[Checked]:
    rows: list[Checked] = []
    for question in open_questions(claimed.call_id, claimed.catalog_digest, claimed.endpoint):
        found = _row(claimed, question, rows)
        if found is not None:
            rows.append(found)
    return rows


def _row(claimed: ClaimedCheck, question: Question, before: list[Checked]) -> Checked | None:
    """Ask about a row and ask otherwise; None where the row itself is not asked about."""
    phase = question.phase.id
    document = cascade_of(claimed.catalog_digest).document
    models = models_for(document, phase, claimed.endpoint.models)
    asker = Asker(claimed.site_id, claimed.call_id, claimed.catalog_digest, WORKER)
    replied = ask_models(asker, claimed.endpoint, question, models)
    _check_goes_on(replied, before)
    said = said_of(replied.answer, question)
    if said is None:
        return None
    variants, requests = {}, list(replied.requests)
    for variant in Variant:
        varied = vary(question, variant)
        if varied is None:
            continue
        other = ask_models(
            asker,
            claimed.endpoint,
            varied,
            models,
            may_be_suspect=variant is Variant.PLANTED,
        )
        _check_goes_on(other, before)
        variants[variant.name] = _compared(question, replied, other)
        requests += other.requests
    digest = asking_digest(document.phase(phase), host=claimed.endpoint.host, models=models)
    return Checked(phase, digest, replied.answered, said, variants, requests)


def _check_goes_on(replied: Replied, before: list[Checked]) -> None:
    why = _STOPPING.get(replied.answer.reason)
    if why is not None:
        raise _Stopped(why, before)


def _compared(question: Question, replied: Replied, other: Replied) -> str:
    """Say whether the answer changed; of another model's answer nothing is said."""
    if replied.answered != other.answered:
        return "unanswered"
    flipped = is_flipped(replied.answer, other.answer, question)
    return "unanswered" if flipped is None else "flipped" if flipped else "same"


def _now() -> datetime:
    return datetime.now(UTC)
