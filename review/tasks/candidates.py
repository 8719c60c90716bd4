"""Candidates by wording: after the pre-fills, one call at a time, on this machine alone."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache

from celery import shared_task
from django.conf import settings

from review.actions.candidates import (
    Found,
    StartedSearch,
    add_candidates,
    claim_search,
    fail_search,
    give_up_searches,
    keep_wording,
)
from review.actions.opening import work_on
from review.adapters.encoders import encoder_named
from review.core.cascade.candidates import (
    Encoder,
    Vector,
    pack_vectors,
    rank_turns,
    said_turns,
    seek,
    texts_of,
    unpack_vectors,
)
from review.core.digests import digest
from review.core.evaluation import judge_call
from review.queries import cascade_of, count_waiting
from review.queries.candidates import stored_wording
from review.tasks.bells import ring_for_candidates
from review.tasks.jobs import Job

logger = logging.getLogger(__name__)

WORKER = "candidates"
_KEPT_CATALOGS = 4


@shared_task(name="review.find_candidates", base=Job, acks_late=True)
def find_candidates(**_: object) -> int:
    """Look for candidates in one call, and ring again if there was one. Pre-fills go first.

    Returns how many calls were looked at. Nothing happens unless the operator's setting says so.
    """
    if not settings.SEMANTIC_ENCODER:
        return 0
    give_up_searches(at=_now())
    if count_waiting(_now()).prefills:
        return 0
    started = claim_search(at=_now())
    if started is None:
        return 0
    _attempt(started)
    ring_for_candidates()
    return 1


def _attempt(started: StartedSearch) -> None:
    try:
        found = _search(started, encoder_named(settings.SEMANTIC_ENCODER))
        add_candidates(started=started, found=found, by=WORKER, at=_now())
    except Exception as error:
        # Its message may carry words of the call; only its class is kept.
        name = type(error).__name__
        logger.error("candidates, call %s, attempt %d: %s", started.call_id, started.attempt, name)
        fail_search(started=started, at=_now())


def _search(started: StartedSearch, encoder: Encoder) -> Found:
    """Read the call anew, as the pre-fill did, and rank its turns for what is open."""
    work = work_on(call_id=started.call_id)
    cascade = cascade_of(started.catalog_digest)
    judged = judge_call(work.call, cascade, findings=work.findings)
    texts = texts_of(cascade.document)
    texts_digest = digest(list(texts))
    found = Found(encoder.model, encoder.digest, texts_digest, ())
    sought = seek(cascade.document, judged.filled.rows)
    if not sought:
        return found
    wording = _wording(started.catalog_digest, texts, found)
    turns = said_turns(judged.call)
    said = encoder.encode([turn.text for turn in turns])
    ranked = rank_turns(sought, turns, said, wording)
    return Found(encoder.model, encoder.digest, texts_digest, ranked)


@lru_cache(maxsize=_KEPT_CATALOGS)
def _wording(catalog: str, texts: tuple[str, ...], found: Found) -> Mapping[str, Vector]:
    """Return the vectors of a catalog's texts: kept in this process, stored, or made now."""
    packed = stored_wording(catalog, found.model_digest, found.texts_digest)
    if packed is None:
        packed = pack_vectors(encoder_named(settings.SEMANTIC_ENCODER).encode(texts))
        keep_wording(catalog=catalog, found=found, vectors=packed, at=_now())
    return dict(zip(texts, unpack_vectors(packed, len(texts)), strict=True))


def _now() -> datetime:
    return datetime.now(UTC)
