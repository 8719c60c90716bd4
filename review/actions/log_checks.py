"""Verifications of the decision log: asked for, run by a worker under a lease, kept.

The row is the truth, as for exports. Asking and what was found are entries of the organisation's
chain, so that a fault which somebody makes go away has still been seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction

from oipsce_site.ledger.actors import person, worker
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import ORGANISATION_CHAIN, record
from oipsce_site.people.models import User
from review.models import CheckState, LogCheck
from review.oversight_permissions import check_can_verify
from review.queries.log_checks import check_waits, is_check_due

LEASE = timedelta(minutes=2)
MOST_ATTEMPTS = 3
MOST_FAULTS_KEPT = 200
#: Who ends what its workers left behind.
SWEEPER = "log_check"


class UnableToCheck(Exception):
    """No verification is begun; the sentence says why."""


@dataclass(frozen=True, slots=True)
class StartedCheck:
    """A verification that a worker runs; `attempt` fences."""

    id: UUID
    attempt: int


@dataclass(frozen=True, slots=True)
class FoundFault:
    """One fault: `kind` guard, chain or seal; `site` of a chain's, None where it is nobody's."""

    kind: str
    place: str
    code: str
    text: str
    site: UUID | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What a verification found; `sites` are (chains, broken) by site, None the organisation's."""

    chains: int
    faults: Sequence[FoundFault]
    sites: Mapping[UUID | None, tuple[int, int]]
    seal: Mapping[str, Any]
    unsealed: str


def ask_log_check(*, check_id: UUID, by: User, at: datetime) -> None:
    """Ask for a verification now. Raises NotAllowed, or UnableToCheck while one is under way."""
    actor = person(by, check_can_verify(by))
    with transaction.atomic():
        if not _ask(check_id, by, actor, at):
            raise UnableToCheck("A verification is under way; its result will stand here.")


def ask_nightly_check(*, check_id: UUID, by: str, at: datetime) -> bool:
    """Ask for the verification that is due each day; says whether it was."""
    with transaction.atomic():
        return is_check_due(at) and _ask(check_id, None, worker(by), at)


def claim_log_check(*, at: datetime) -> StartedCheck | None:
    """Take a verification that waits under a lease; None when none does.

    One that was tried three times is ended instead.
    """
    with transaction.atomic():
        found = (
            LogCheck.objects.select_for_update(skip_locked=True, of=("self",))
            .filter(check_waits(at))
            .order_by("asked_at", "pk")
            .first()
        )
        if found is None:
            return None
        if found.attempts >= MOST_ATTEMPTS:
            _end(found, found.failure or "its workers were lost", SWEEPER, at)
            return None
        found.state = CheckState.RUNNING
        found.attempts += 1
        found.chains_done = 0
        found.lease_until = at + LEASE
        found.save(update_fields=["state", "attempts", "chains_done", "lease_until"])
        return StartedCheck(found.pk, found.attempts)


def keep_check_going(*, started: StartedCheck, done: int, chains: int, at: datetime) -> None:
    """Note how far it is, and renew the lease. Raises UnableToCheck when it was taken over."""
    running = LogCheck.objects.filter(
        pk=started.id, attempts=started.attempt, state=CheckState.RUNNING
    )
    if not running.update(chains_done=done, chains=chains, lease_until=at + LEASE):
        raise UnableToCheck("Another worker has taken this verification over.")


def finish_log_check(*, started: StartedCheck, found: Found, by: str, at: datetime) -> None:
    """Keep what was found. Raises UnableToCheck when it was taken over."""
    with transaction.atomic():
        check = LogCheck.objects.select_for_update(of=("self",)).get(pk=started.id)
        if check.attempts != started.attempt or check.state != CheckState.RUNNING:
            raise UnableToCheck("Another worker has taken this verification over.")
        check.state = CheckState.DONE
        check.lease_until = None
        check.finished_at = at
        check.failure = ""
        check.chains = check.chains_done = found.chains
        check.fault_count = len(found.faults)
        check.faults = [_plain(fault) for fault in found.faults[:MOST_FAULTS_KEPT]]
        check.sites = {"" if site is None else str(site): [*n] for site, n in found.sites.items()}
        check.seal, check.unsealed = dict(found.seal), found.unsealed
        check.save()
        facts: dict[str, Value] = {
            "chains": found.chains,
            "broken_chains": sum(broken for _, broken in found.sites.values()),
            "faults": len(found.faults),
            "codes": sorted({fault.code for fault in found.faults}),
            "sealed_size": found.seal.get("size"),
        }
        _record(check, "log.check", worker(by), at, facts)


def fail_log_check(*, started: StartedCheck, failure: str, by: str, at: datetime) -> None:
    """Note that it broke off; it is tried again, and ended after three times.

    `failure` is a class of error or a sentence of ours.
    """
    with transaction.atomic():
        check = LogCheck.objects.select_for_update(of=("self",)).get(pk=started.id)
        if check.attempts != started.attempt or check.state != CheckState.RUNNING:
            return
        if check.attempts >= MOST_ATTEMPTS:
            _end(check, failure, by, at)
            return
        check.state = CheckState.QUEUED
        check.lease_until = None
        check.failure = failure
        check.save(update_fields=["state", "lease_until", "failure"])


def _ask(check_id: UUID, by: User | None, actor: Actor, at: datetime) -> bool:
    """Store what is asked; False while another one waits or runs."""
    if LogCheck.objects.filter(state__in=(CheckState.QUEUED, CheckState.RUNNING)).exists():
        return False
    # Two who ask at once: the second finds one waiting (logcheck_one_waits).
    asked = LogCheck(id=check_id, asked_by=by, asked_at=at, state=CheckState.QUEUED)
    LogCheck.objects.bulk_create([asked], ignore_conflicts=True)
    if not LogCheck.objects.filter(pk=check_id).exists():
        return False
    _record(asked, "log.check_ask", actor, at, {})
    return True


def _end(check: LogCheck, failure: str, by: str, at: datetime) -> None:
    check.state = CheckState.FAILED
    check.lease_until = None
    check.finished_at = at
    check.failure = failure
    check.save(update_fields=["state", "lease_until", "finished_at", "failure"])
    _record(check, "log.check_fail", worker(by), at, {"attempts": check.attempts})


def _plain(fault: FoundFault) -> dict[str, Any]:
    return {
        "kind": fault.kind,
        "place": fault.place,
        "code": fault.code,
        "text": fault.text,
        "site": None if fault.site is None else str(fault.site),
    }


def _record(
    check: LogCheck, kind: str, by: Actor, at: datetime, facts: Mapping[str, Value]
) -> None:
    record(
        chain_id=ORGANISATION_CHAIN,
        about=About.ORGANISATION,
        kind=kind,
        by=by,
        at=at,
        facts={"check_id": str(check.pk), **facts},
    )
