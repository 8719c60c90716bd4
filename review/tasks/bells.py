"""The bells: messages that say "look at the tables". A bell that fails to ring loses nothing."""

from __future__ import annotations

import logging
from functools import partial
from uuid import UUID

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)

PREFILLS = "review.prefill_waiting"
IMPORTS = "review.import_waiting"
EXPORTS = "review.export_waiting"
CHECK = "review.check_log"
SEAL = "review.seal_log"
RETENTION = "review.run_retention"
REHEARSAL = "review.rehearse_version"
WEBHOOKS = "review.send_webhooks"
ADJUDICATIONS = "review.adjudicate_waiting"
CANDIDATES = "review.find_candidates"
MODEL_CHECKS = "review.check_models"
DRAFT_REHEARSALS = "review.rehearse_drafts"
WHAT_IFS = "review.what_if_waiting"
SHADOWS = "review.shadow_waiting"
# A bell nobody hears in this time is not worth hearing: the sweep rings again.
_STALE_SECONDS = 60


def ring_for_prefills() -> None:
    """Tell the workers, once the transaction is committed, that pre-fills wait."""
    transaction.on_commit(partial(_ring, PREFILLS))


def ring_for_imports() -> None:
    """Tell the workers, once the transaction is committed, that imports wait."""
    transaction.on_commit(partial(_ring, IMPORTS))


def ring_for_exports() -> None:
    """Tell the workers, once the transaction is committed, that exports wait."""
    transaction.on_commit(partial(_ring, EXPORTS))


def ring_for_webhooks() -> None:
    """Tell the workers, once the transaction is committed, that alerts are to be sent."""
    transaction.on_commit(partial(_ring, WEBHOOKS))


def ring_for_adjudications() -> None:
    """Tell the workers, once the transaction is committed, that models are to be asked."""
    transaction.on_commit(partial(_ring, ADJUDICATIONS))


def ring_for_candidates() -> None:
    """Tell the workers, once the transaction is committed, that calls wait for candidates."""
    transaction.on_commit(partial(_ring, CANDIDATES))


def ring_for_model_checks() -> None:
    """Tell the workers, once the transaction is committed, that checks of models wait."""
    transaction.on_commit(partial(_ring, MODEL_CHECKS))


def ring_for_check() -> None:
    """Tell a worker, once the transaction is committed, that the log is to be verified."""
    transaction.on_commit(partial(_ring, CHECK))


def ring_for_seal() -> None:
    """Tell a worker that the last checkpoint is older than a minute."""
    transaction.on_commit(partial(_ring, SEAL))


def ring_for_retention() -> None:
    """Tell a worker that it is time to look for calls that were kept for long enough."""
    transaction.on_commit(partial(_ring, RETENTION))


def ring_for_rehearsal(version_id: UUID) -> None:
    """Tell the workers that a version in review has no rehearsal yet."""
    words = {"version_id": str(version_id), "only_if_missing": True}
    transaction.on_commit(partial(_ring, REHEARSAL, words))


def ring_for_draft_rehearsals() -> None:
    """Tell the workers, once the transaction is committed, that rehearsals of drafts wait."""
    transaction.on_commit(partial(_ring, DRAFT_REHEARSALS))


def ring_for_what_ifs() -> None:
    """Tell the workers, once the transaction is committed, that portions of what-ifs wait."""
    transaction.on_commit(partial(_ring, WHAT_IFS))


def ring_for_shadows() -> None:
    """Tell the workers, once the transaction is committed, that calls wait for a shadow."""
    transaction.on_commit(partial(_ring, SHADOWS))


def _ring(name: str, words: dict[str, object] | None = None) -> None:
    try:
        current_app.send_task(name, kwargs=words, expires=_STALE_SECONDS, retry=False)
    except (OperationalError, OSError):
        logger.warning("the broker cannot be reached; the next sweep rings for %s", name)
