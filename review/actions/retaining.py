"""Rules of retention, made by two people, and the run that erases what is due by them.

Each call is erased in a transaction of its own, so the next run goes on with one
that was killed.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from django.db import transaction

from oipsce_site.ledger.actors import person, worker
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import record
from oipsce_site.people.models import Site, User
from review.actions.erasing import Erasing, UnableToErase, erase_call, lock_to_erase
from review.core.retention import LEAST_DAYS, is_above_cap
from review.models import Erasure, ErasureState, Ground, RetentionRule
from review.oversight_permissions import check_can_approve_erasure, check_can_ask_erasure
from review.queries.retention import due_calls, is_due, rule_of

WORKER = "retention"


class UnableToRetain(Exception):
    """The rule or the run makes no sense as asked; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Run:
    """What a run did at a site: calls that were due, those erased, and why some were not."""

    due: int
    erased: tuple[UUID, ...] = ()
    refusals: tuple[str, ...] = ()


def propose_rule(
    *, rule_id: UUID, site: Site, days: int, most: int, by: User, at: datetime
) -> None:
    """Propose how long a site keeps words; an administrator approves. Twice the same: once.

    Raises NotAllowed, or UnableToRetain.
    """
    role = check_can_ask_erasure(by, site)
    if days < LEAST_DAYS or most < 1:
        raise UnableToRetain(f"A rule keeps calls for {LEAST_DAYS} days at least, and erases some.")
    with transaction.atomic():
        Site.objects.select_for_update().get(pk=site.pk)
        if RetentionRule.objects.filter(pk=rule_id).exists():
            return
        open_ones = RetentionRule.objects.filter(site=site, approved_at=None, refused_at=None)
        if open_ones.exists():
            raise UnableToRetain("A rule of this site waits for an administrator already.")
        RetentionRule.objects.create(
            id=rule_id, site=site, days=days, most=most, proposed_by=by, proposed_at=at
        )
        facts: dict[str, Value] = {"rule_id": str(rule_id), "days": days, "most": most}
        _record(site.pk, "retention.propose", person(by, role), at, facts)


def decide_rule(*, rule_id: UUID, approve: bool, by: User, at: datetime) -> None:
    """Approve or refuse a rule that somebody else proposed. Raises NotAllowed, UnableToRetain."""
    role = check_can_approve_erasure(by)
    with transaction.atomic():
        rule = RetentionRule.objects.select_for_update().filter(pk=rule_id).first()
        if rule is None or rule.approved_at is not None or rule.refused_at is not None:
            raise UnableToRetain("There is no such rule that waits.")
        if rule.proposed_by_id == by.pk:
            raise UnableToRetain("You proposed this yourself; a second person decides.")
        if approve:
            rule.approved_by, rule.approved_at = by, at
        else:
            rule.refused_at = at
        rule.save(update_fields=["approved_by", "approved_at", "refused_at"])
        kind = "retention.approve" if approve else "retention.refuse"
        _record(rule.site_id, kind, person(by, role), at, {"rule_id": str(rule_id)})


def run_retention(*, site: Site, by: str, at: datetime) -> Run:
    """Erase what is due at a site by its rule.

    Raises UnableToRetain without a rule, and above its cap: then nothing is erased, and the log has
    that as well.
    """
    rule = rule_of(site.pk)
    if rule is None:
        raise UnableToRetain(f"{site.name} has no approved rule of retention.")
    due = due_calls(rule, at)
    if is_above_cap(len(due), rule.most):
        facts: dict[str, Value] = {"rule_id": str(rule.pk), "due": len(due), "most": rule.most}
        with transaction.atomic():
            _record(site.pk, "retention.above_cap", worker(by), at, facts)
        raise UnableToRetain(
            f"{site.name}: {len(due)} calls are due, and a run erases {rule.most} at most. Nothing "
            "is erased. Look at the clock and at the list; two people may raise the number."
        )
    erased: list[UUID] = []
    refusals: list[str] = []
    for call_id in due:
        try:
            if _erase_due(call_id, rule, by, at):
                erased.append(call_id)
        except UnableToErase as refusal:
            refusals.append(f"{call_id}: {refusal}")
    if due:
        done: dict[str, Value] = {"rule_id": str(rule.pk), "due": len(due), "erased": len(erased)}
        with transaction.atomic():
            _record(site.pk, "retention.run", worker(by), at, done)
    return Run(len(due), tuple(erased), tuple(refusals))


def _erase_due(call_id: UUID, rule: RetentionRule, by: str, at: datetime) -> bool:
    """Erase one call under its lock, if it still is due."""
    with transaction.atomic():
        stored = lock_to_erase(call_id)
        if not is_due(rule, call_id, at):
            return False
        erasure_id = uuid4()
        approver = rule.approved_by_id
        Erasure.objects.filter(call=stored, state=ErasureState.ASKED).update(
            state=ErasureState.REFUSED, decided_at=at
        )
        erase_call(
            stored, Erasing(erasure_id, Ground.RETENTION, rule.proposed_by_id, worker(by), at)
        )
        Erasure.objects.create(
            id=erasure_id,
            call=stored,
            ground=Ground.RETENTION,
            state=ErasureState.DONE,
            asked_by_id=rule.proposed_by_id,
            asked_at=rule.proposed_at,
            decided_by_id=approver,
            decided_at=at,
        )
    return True


def erase_again(*, call_id: UUID, by: str, at: datetime) -> bool:
    """Erase a call that was erased before the database was put back from a backup.

    Returns False for one that is erased, or not there. Raises UnableToErase.
    """
    with transaction.atomic():
        try:
            stored = lock_to_erase(call_id)
        except UnableToErase:
            return False
        if stored.erased_at is not None:
            return False
        asked = Erasure.objects.filter(call=stored).order_by("-asked_at").first()
        erasure_id = uuid4() if asked is None else asked.pk
        ground = Ground.PERSON_ASKED if asked is None else Ground(asked.ground)
        asker = stored.pk if asked is None else asked.asked_by_id
        erase_call(stored, Erasing(erasure_id, ground, asker, worker(by), at))
    return True


def _record(site_id: UUID, kind: str, by: Actor, at: datetime, facts: dict[str, Value]) -> None:
    record(chain_id=site_id, about=About.SITE, kind=kind, by=by, at=at, facts=facts)
