"""Exceptions: one officer asks, another approves; either may be taken back. No verdict changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from django.db import transaction

from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About, commit_text
from oipsce_site.ledger.record import new_nonce, record
from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.core.compliance.compliance_exceptions import CannotExcept, Stage, check_days, stage_of
from review.models import ComplianceException, ExceptionReason
from review.oversight_permissions import check_can_approve_exception, check_can_oversee
from review.permissions import NotAllowed


class UnableToExcept(Exception):
    """The exception is not made or changed; the sentence says why, `field` what to correct."""

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


@dataclass(frozen=True, slots=True)
class ExceptionWish:
    """What is to be excepted (`name` an edge, item or phase), why, and on calls of which days."""

    catalog: str
    name: str
    reason: ExceptionReason
    words: str
    first: date
    last: date


def ask_exception(
    *, exception_id: UUID, site: Site, wish: ExceptionWish, by: User, at: datetime
) -> None:
    """Ask for an exception; it counts once a second person approves it.

    Raises NotAllowed, or UnableToExcept for days or words that make none.
    """
    role = check_can_oversee(by, site)
    words, nonce = wish.words.strip(), new_nonce()
    if not words:
        raise UnableToExcept("Say why; it stands beside every count.", "words")
    try:
        check_days(wish.first, wish.last, at.date())
    except CannotExcept as refusal:
        raise UnableToExcept(str(refusal), "last") from refusal
    with transaction.atomic():
        asked = ComplianceException.objects.create(
            id=exception_id,
            site=site,
            catalog=wish.catalog,
            name=wish.name,
            reason=wish.reason,
            words=words,
            nonce=nonce,
            first=wish.first,
            last=wish.last,
            asked_by=by,
            asked_at=at,
        )
        facts: dict[str, Value] = {
            "catalog": wish.catalog,
            "name": wish.name,
            "reason": wish.reason.value,
            "words_commitment": commit_text(nonce, words),
            "first": wish.first.isoformat(),
            "last": wish.last.isoformat(),
        }
        _record(asked, "exception.ask", by, role, at, facts)


def approve_exception(*, exception_id: UUID, by: User, at: datetime) -> None:
    """Approve an exception that somebody else asked for. Raises NotAllowed, UnableToExcept."""
    with transaction.atomic():
        found = _lock(exception_id)
        role = check_can_approve_exception(by, found.site)
        if found.asked_by_id == by.pk:
            raise NotAllowed("You have asked for it yourself: another officer approves it.")
        stage = _stage(found, at)
        if stage is Stage.LAPSED:
            raise UnableToExcept("Its last day is over, so it is not approved any more.")
        if stage is not Stage.ASKED:
            raise UnableToExcept("It was approved or taken back already.")
        found.approved_by, found.approved_at = by, at
        found.save(update_fields=["approved_by", "approved_at"])
        _record(found, "exception.approve", by, role, at, {})


def end_exception(*, exception_id: UUID, by: User, at: datetime) -> None:
    """Take an exception back: calls of later days are not excepted. Raises as approving does."""
    with transaction.atomic():
        found = _lock(exception_id)
        role = check_can_oversee(by, found.site)
        if _stage(found, at) in (Stage.ENDED, Stage.EXPIRED, Stage.LAPSED):
            raise UnableToExcept("It is over already.")
        found.ended_by, found.ended_at = by, at
        found.save(update_fields=["ended_by", "ended_at"])
        _record(found, "exception.end", by, role, at, {})


def _lock(exception_id: UUID) -> ComplianceException:
    found = (
        ComplianceException.objects.select_for_update(of=("self",))
        .select_related("site")
        .filter(pk=exception_id)
        .first()
    )
    if found is None:
        raise UnableToExcept("There is no such exception.")
    return found


def _stage(found: ComplianceException, at: datetime) -> Stage:
    return stage_of(
        first=found.first,
        last=found.last,
        approved=found.approved_at is not None,
        ended=found.ended_at is not None,
        today=at.date(),
    )


def _record(
    found: ComplianceException,
    kind: str,
    by: User,
    role: Role,
    at: datetime,
    facts: Mapping[str, Value],
) -> None:
    record(
        chain_id=found.site_id,
        about=About.SITE,
        kind=kind,
        by=person(by, role),
        at=at,
        facts={"exception_id": str(found.pk), **facts},
    )
