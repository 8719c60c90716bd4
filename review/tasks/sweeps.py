"""The sweep: whatever waits and nobody works at is rung for again."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

from celery import shared_task
from django.conf import settings

from catalogs.queries import count_waiting_orders, list_unrehearsed
from oipsce_site.ledger.checkpoints import is_due
from review.actions.answering_once import forget_answers
from review.actions.log_checks import ask_nightly_check
from review.actions.prefill import give_up_lost
from review.actions.promotions import demote_fallen
from review.actions.running_ends import WORKER as LISTENER
from review.actions.running_ends import end_idle_calls
from review.actions.workers import forget_old_beats
from review.core.retention import is_time_to_retain
from review.queries import count_waiting
from review.queries.adjudication import count_to_ask_about
from review.queries.alerts import count_waiting_deliveries
from review.queries.candidates import is_any_to_search
from review.queries.exports import count_waiting_exports
from review.queries.log_checks import count_waiting_checks
from review.queries.promotions import count_waiting_model_checks
from review.queries.shadows import count_waiting_shadows
from review.queries.what_ifs import count_waiting_portions
from review.tasks.beats import beat
from review.tasks.bells import (
    ring_for_adjudications,
    ring_for_candidates,
    ring_for_check,
    ring_for_draft_rehearsals,
    ring_for_exports,
    ring_for_imports,
    ring_for_model_checks,
    ring_for_prefills,
    ring_for_rehearsal,
    ring_for_retention,
    ring_for_seal,
    ring_for_shadows,
    ring_for_webhooks,
    ring_for_what_ifs,
)
from review.tasks.jobs import Job
from review.tasks.log_checks import WORKER as CHECKER
from review.tasks.prefills import AT_ONCE, WORKER

# Who ends promotions that fell, in the decision log.
WATCHER = "promotions"
# Each bell that finds work rings the next; a few are enough to set every worker going.
_MOST_BELLS = 4


@shared_task(name="review.sweep", base=Job, ignore_result=True)
def sweep(**_: object) -> None:
    """Note a sign of life, end runs that had their attempts, and ring for all that waits."""
    now = datetime.now(UTC)
    beat(now)
    forget_old_beats(at=now)
    give_up_lost(by=WORKER, at=now)
    waiting = count_waiting(now)
    for _bell in range(min(_MOST_BELLS, -(-waiting.prefills // AT_ONCE))):
        ring_for_prefills()
    if waiting.imports:
        ring_for_imports()
    # Without a folder of keys nobody asked for checkpoints.
    if settings.SIGNING_KEY_DIR and is_due(now):
        ring_for_seal()
    if is_time_to_retain(now):
        ring_for_retention()
    if count_waiting_exports(now):
        ring_for_exports()
    _sweep_after_authors(now)
    ask_nightly_check(check_id=uuid4(), by=CHECKER, at=now)
    if count_waiting_checks(now):
        ring_for_check()
    _sweep_after_programs(now)
    for version_id in list_unrehearsed():
        ring_for_rehearsal(version_id)


def _sweep_after_authors(now: datetime) -> None:
    """Ring for what catalogs and their drafts ask of the workers."""
    if count_waiting_orders(now):
        ring_for_draft_rehearsals()
    for _bell in range(min(_MOST_BELLS, count_waiting_portions(now))):
        ring_for_what_ifs()
    if count_waiting_shadows(now):
        ring_for_shadows()


def _sweep_after_programs(now: datetime) -> None:
    """End running calls that nobody tells more of, forget old answers, ring for what goes out."""
    if end_idle_calls(by=LISTENER, at=now):
        ring_for_prefills()
    forget_answers(at=now)
    if count_waiting_deliveries(now):
        ring_for_webhooks()
    if count_to_ask_about(now):
        ring_for_adjudications()
    if settings.SEMANTIC_ENCODER and is_any_to_search(now):
        ring_for_candidates()
    if count_waiting_model_checks(now):
        ring_for_model_checks()
    demote_fallen(by=WATCHER, at=now)
