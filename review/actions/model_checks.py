"""Checks of a site's models on signed calls: ordered by a person, worked at call by call.

What a check asks is asked as any question is: reserved, told to the log and kept. A worker that is
lost leaves nothing behind but kept answers, which the next one finds (guard rules 9, 13).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from catalogs.models import CatalogVersion
from oipsce_site.ledger.actors import person, worker
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import record
from oipsce_site.people.models import Site, User
from review.actions.model_requests import Endpoint, endpoint_of
from review.core.cascade.adjudication import Said
from review.models import OPEN_MODEL_CHECKS, Call, CheckedRow, ModelCheck, ModelCheckState
from review.permissions import check_can_promote
from review.queries.promotions import check_waits, signed_calls_to_check

#: Calls of one check; each costs some four questions for each open row.
MOST_CALLS = 500
MOST_ATTEMPTS = 3
# Longer than the questions about one call take, with all that is asked again.
LEASE = timedelta(minutes=15)
# What could not be finished is tried again after this; two of them outlast a request that was lost.
AGAIN = timedelta(minutes=1)


class UnableToCheck(Exception):
    """The check cannot be ordered or called off; the sentence says why, `field` where."""

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


@dataclass(frozen=True, slots=True)
class CheckWish:
    """What is to be checked: the models of a site, over its latest signed calls of a version."""

    site: Site
    version_id: UUID
    calls: int


def order_model_check(*, check_id: UUID, wish: CheckWish, by: User, at: datetime) -> int:
    """Have a site's models checked as they are set now, and return over how many calls.

    Raises NotAllowed, or UnableToCheck: where models are off, another check goes on, or no call is
    signed by the version.
    """
    role = check_can_promote(by, wish.site)
    if not 1 <= wish.calls <= MOST_CALLS:
        raise UnableToCheck(f"Ask for 1 to {MOST_CALLS} calls.", "calls")
    with transaction.atomic():
        site = Site.objects.select_for_update().get(pk=wish.site.pk)
        endpoint = endpoint_of(site.pk)
        if endpoint is None:
            raise UnableToCheck("The adjudicator of this site is off, so nothing can be asked.")
        if ModelCheck.objects.filter(site=site, state__in=OPEN_MODEL_CHECKS).exists():
            raise UnableToCheck("A check of this site goes on; wait for it or call it off.")
        calls = signed_calls_to_check(site.pk, wish.version_id, wish.calls)
        if not calls:
            raise UnableToCheck("No call of this site is signed by this version.", "version")
        stored = ModelCheck.objects.create(
            id=check_id,
            site=site,
            version=CatalogVersion.objects.get(pk=wish.version_id),
            host=endpoint.host,
            asked_models=",".join(endpoint.models),
            phases=sorted(endpoint.phases),
            calls=calls,
            state=ModelCheckState.WAITING,
            asked_by=by,
            role=role,
            asked_at=at,
        )
        facts: dict[str, Value] = {
            "catalog": stored.version.digest,
            "host": stored.host,
            "models": list(endpoint.models),
            "phases": list(stored.phases),
            "calls": len(calls),
        }
        _record(stored, "modelcheck.order", person(by, role), at, facts)
    return len(calls)


def call_off_model_check(*, check_id: UUID, by: User, at: datetime) -> None:
    """Stop a check before its next question; what it found so far stays and counts.

    Raises NotAllowed, or UnableToCheck for one that is over or not there.
    """
    with transaction.atomic():
        stored = _locked(check_id)
        if stored is None:
            raise UnableToCheck("There is no such check.")
        role = check_can_promote(by, stored.site)
        if stored.state not in OPEN_MODEL_CHECKS:
            raise UnableToCheck(f"It is {ModelCheckState(stored.state).label} already.")
        stored.ended_by = by
        _end(stored, ModelCheckState.CANCELLED, "", at)
        _record(stored, "modelcheck.cancel", person(by, role), at, {"done": stored.done})


@dataclass(frozen=True, slots=True)
class ClaimedCheck:
    """A check in a worker's hands: which attempt, and the call that is next."""

    check_id: UUID
    attempt: int
    site_id: UUID
    catalog_digest: str
    call_id: UUID
    endpoint: Endpoint


def claim_check(*, by: str, at: datetime) -> ClaimedCheck | None:
    """Take the next call of a check that waits; None where none waits.

    One whose site has other models by now, or none, is stopped here: what it measured stays.
    """
    with transaction.atomic():
        waiting = ModelCheck.objects.select_for_update(skip_locked=True, of=("self",))
        stored = (
            waiting.select_related("site", "version")
            .filter(check_waits(at))
            .order_by("asked_at")
            .first()
        )
        if stored is None:
            return None
        endpoint = endpoint_of(stored.site_id)
        if endpoint is None or not _is_same(endpoint, stored):
            why = "The site's models were switched off or changed."
            _stop(stored, why, by, at)
            return None
        if not _go_on_to_a_call(stored):
            _finish(stored, by, at)
            return None
        if stored.attempts >= MOST_ATTEMPTS:
            why = (
                "The same call failed, or its worker was lost, three times. Order the check again."
            )
            _stop(stored, why, by, at)
            return None
        stored.attempts += 1
        stored.state, stored.lease_until = ModelCheckState.RUNNING, at + LEASE
        stored.save(update_fields=["state", "attempts", "lease_until", "done"])
        return ClaimedCheck(
            stored.pk,
            stored.attempts,
            stored.site_id,
            stored.version.digest,
            stored.calls[stored.done],
            endpoint,
        )


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of one row: what was said, by whom, and by variant same, flipped or unanswered."""

    phase: str
    digest: str
    answered: str
    said: Said
    variants: dict[str, str]
    requests: Sequence[UUID]


def store_checked(
    *, claimed: ClaimedCheck, rows: Sequence[Checked], stop: str = "", by: str, at: datetime
) -> bool:
    """Store what came of a call and say whether calls are left; `stop` says why none is taken up.

    A check that was called off, or that another worker has by now, keeps nothing of it.
    """
    with transaction.atomic():
        stored = _locked(claimed.check_id)
        if (
            stored is None
            or stored.state != ModelCheckState.RUNNING
            or stored.attempts != claimed.attempt
        ):
            return False
        for one in rows:
            CheckedRow.objects.create(
                check_of=stored,
                call_id=claimed.call_id,
                phase=one.phase,
                digest=one.digest,
                answered=one.answered,
                said=one.said.value,
                variants=one.variants,
                requests=[str(request) for request in one.requests],
                at=at,
            )
        stored.done += 1
        stored.attempts, stored.lease_until = 0, None
        stored.save(update_fields=["done", "attempts", "lease_until"])
        if stop:
            _stop(stored, stop, by, at)
            return False
        if stored.done < len(stored.calls):
            return True
        _finish(stored, by, at)
    return False


def release_check(*, claimed: ClaimedCheck, at: datetime) -> None:
    """Give a call back that could not be finished; after three times the check stops.

    It is taken up again after a minute: what was in the way (another worker that asks the same, a
    database that is away) is not gone at once.
    """
    mine = ModelCheck.objects.filter(pk=claimed.check_id, attempts=claimed.attempt)
    mine.filter(state=ModelCheckState.RUNNING).update(lease_until=at + AGAIN)


def _go_on_to_a_call(stored: ModelCheck) -> bool:
    """Pass over calls that were erased since the check was ordered; say whether one is left."""
    left = stored.calls[stored.done :]
    there = set(Call.objects.filter(pk__in=left, erased_at=None).values_list("pk", flat=True))
    gone = next((at for at, call_id in enumerate(left) if call_id in there), len(left))
    if gone:
        stored.done, stored.attempts = stored.done + gone, 0
    return gone < len(left)


def _finish(stored: ModelCheck, by: str, at: datetime) -> None:
    _end(stored, ModelCheckState.DONE, "", at)
    asked = CheckedRow.objects.filter(check_of=stored).count()
    facts: dict[str, Value] = {"calls": stored.done, "rows": asked}
    _record(stored, "modelcheck.done", worker(by), at, facts)


def _is_same(endpoint: Endpoint, stored: ModelCheck) -> bool:
    asked = (endpoint.host, ",".join(endpoint.models), sorted(endpoint.phases))
    return asked == (stored.host, stored.asked_models, sorted(stored.phases))


def _locked(check_id: UUID) -> ModelCheck | None:
    found = ModelCheck.objects.select_for_update(of=("self",)).select_related("site")
    return found.filter(pk=check_id).first()


def _stop(stored: ModelCheck, why: str, by: str, at: datetime) -> None:
    _end(stored, ModelCheckState.STOPPED, why, at)
    _record(stored, "modelcheck.stop", worker(by), at, {"done": stored.done})


def _end(stored: ModelCheck, state: ModelCheckState, why: str, at: datetime) -> None:
    stored.state, stored.why, stored.ended_at, stored.lease_until = state, why, at, None
    stored.save(update_fields=["state", "why", "ended_at", "ended_by", "lease_until", "done"])


def _record(
    stored: ModelCheck, kind: str, by: Actor, at: datetime, facts: dict[str, Value]
) -> None:
    record(
        chain_id=stored.site_id,
        about=About.SITE,
        kind=kind,
        by=by,
        at=at,
        facts={"check_id": str(stored.pk), **facts},
    )
