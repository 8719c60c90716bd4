"""Verifications of the decision log: every chain, the guard of its tables, every checkpoint."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from celery import shared_task
from django.conf import settings

from oipsce_site.ledger.checkpoints import verify_seals_here
from oipsce_site.ledger.queries import chain_ids, last_seal, verify
from oipsce_site.ledger.selfcheck import check_triggers
from oipsce_site.signing.store import SigningKeyError
from review.actions.log_checks import (
    Found,
    FoundFault,
    StartedCheck,
    UnableToCheck,
    claim_log_check,
    fail_log_check,
    finish_log_check,
    keep_check_going,
)
from review.queries.chains import sites_of_chains
from review.tasks.beats import beat
from review.tasks.jobs import Job

logger = logging.getLogger(__name__)

WORKER = "log_check"
_OFTEN = timedelta(seconds=5)
_NO_KEYS = "SIGNING_KEY_DIR is not set, so checkpoints were neither made nor verified."


@shared_task(name="review.check_log", base=Job, acks_late=True)
def check_log(**_: object) -> None:
    """Run the verification that waits, if one does. What it finds is an error line of the log."""
    started = claim_log_check(at=_now())
    if started is None:
        return
    try:
        found = _verify(started)
        finish_log_check(started=started, found=found, by=WORKER, at=_now())
    except UnableToCheck as refusal:
        logger.info("verification %s: %s", started.id, refusal)
        return
    except Exception as error:
        failure = type(error).__name__
        logger.error("verification %s, attempt %d: %s", started.id, started.attempt, failure)
    else:
        if found.faults:
            logger.error("the decision log has %d fault(s): /compliance/log/", len(found.faults))
        return
    fail_log_check(started=started, failure=failure, by=WORKER, at=_now())


def _verify(started: StartedCheck) -> Found:
    faults = [FoundFault("guard", "tables", "GUARD", sentence) for sentence in check_triggers()]
    chains = chain_ids()
    sites = sites_of_chains(chains)
    counts: dict[UUID | None, tuple[int, int]] = {}
    told_at = _now()
    for done, chain in enumerate(chains):
        if _now() - told_at > _OFTEN:
            told_at = _now()
            keep_check_going(started=started, done=done, chains=len(chains), at=told_at)
            beat(told_at)
        site = sites.get(chain)
        broken = _faults_of(chain, site)
        faults += broken
        total, bad = counts.get(site, (0, 0))
        counts[site] = (total + 1, bad + bool(broken))
    keep_check_going(started=started, done=len(chains), chains=len(chains), at=_now())
    sealed, unsealed = _faults_of_seals(sites)
    return Found(len(chains), [*faults, *sealed], counts, _last_seal(), unsealed)


def _faults_of(chain: UUID, site: UUID | None) -> list[FoundFault]:
    return [
        FoundFault("chain", _place(chain, one.seq), one.code, one.text, site)
        for one in verify(chain)
    ]


def _place(chain: UUID, seq: int | None) -> str:
    return f"chain {chain}" if seq is None else f"chain {chain}, entry {seq}"


def _faults_of_seals(sites: dict[UUID, UUID]) -> tuple[Sequence[FoundFault], str]:
    """Return what is wrong with checkpoints, and why they were not verified, if so."""
    if not settings.SIGNING_KEY_DIR:
        return [], _NO_KEYS
    try:
        found = verify_seals_here(at=_now())
    except SigningKeyError as error:
        return [], str(error)
    by_place = {f"chain {chain}": site for chain, site in sites.items()}
    return [
        FoundFault("seal", one.place, one.code, one.text, by_place.get(one.place)) for one in found
    ], ""


def _last_seal() -> dict[str, Any]:
    seal = last_seal()
    if seal is None:
        return {}
    origin = seal.note.split(b"\n", 1)[0].decode("ascii", errors="replace")
    return {
        "log": origin,
        "size": seal.size,
        "root": seal.root.hex(),
        "at_us": seal.sealed_at_us,
    }


def _now() -> datetime:
    return datetime.now(UTC)
