"""What every act of administration does: check the role under lock, note the act, record it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from oipsce_site.administration.permissions import check_can_administer
from oipsce_site.ledger.actors import oneself, person, worker
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About, Actor, commit_text
from oipsce_site.ledger.record import ORGANISATION_CHAIN, new_nonce, record
from oipsce_site.people.matrix import Act
from oipsce_site.people.models import Membership, PersonAct, Revised, Site, User
from oipsce_site.people.roles import Role

Found = TypeVar("Found", bound=Revised)


class UnableToAdminister(Exception):
    """The act is refused; the sentence says why, `field` which value it is about ("" for none)."""

    def __init__(self, sentence: str, *, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


class ChangedMeanwhile(Exception):
    """Somebody changed it since the form was made; nothing was stored."""


class NotThere(Exception):
    """There is no such person, site, role or request."""


@dataclass(frozen=True, slots=True)
class Acting:
    """Who acts and when. Made inside the transaction of the act."""

    by: User | None
    actor: Actor
    at: datetime

    @classmethod
    def administrator(cls, by: User, at: datetime, act: Act = Act.MANAGE_PEOPLE) -> Acting:
        """Return an administrator who acts. Raises NotAllowed.

        All memberships of administrators are locked until the transaction ends: of two who
        deactivate each other, the second one is no administrator any more when it is their turn.
        """
        held = Membership.objects.filter(role=Role.ADMINISTRATOR, revoked_at__isnull=True)
        list(held.select_for_update().order_by("pk"))
        return cls(by, person(by, check_can_administer(by, act)), at)

    @classmethod
    def command(cls, name: str, at: datetime) -> Acting:
        """Return a command of this installation, run by who operates the machine."""
        return cls(None, worker(name), at)

    @classmethod
    def oneself(cls, by: User, at: datetime) -> Acting:
        """Return a person who acts on their own account."""
        return cls(None, oneself(by), at)

    def load_person(self, person_id: UUID, expected_revision: int | None = None) -> User:
        """Return a person, locked. Raises NotThere, ChangedMeanwhile for another revision."""
        found = User.objects.select_for_update(of=("self",)).filter(pk=person_id).first()
        return _expected(found, expected_revision)

    def load_site(self, site_id: UUID, expected_revision: int) -> Site:
        """Return a site, locked. Raises NotThere, ChangedMeanwhile for another revision."""
        found = Site.objects.select_for_update(of=("self",)).filter(pk=site_id).first()
        return _expected(found, expected_revision)

    def store(self, changed: Revised, *fields: str) -> None:
        """Store these fields of a person or site under its next revision."""
        changed.revision += 1
        changed.changed_at = self.at
        changed.changed_by = self.by
        changed.save(update_fields=[*fields, "revision", "changed_at", "changed_by"])

    def note(
        self, whom: User, kind: str, facts: Mapping[str, Value] | None = None, *, words: str = ""
    ) -> None:
        """Keep the words with the person, and record the act with a commitment to them."""
        nonce = new_nonce() if words else None
        PersonAct.objects.create(
            user=whom, kind=kind, words=words, nonce=nonce, by=self.by, at=self.at
        )
        said = {"words": commit_text(nonce, words)} if nonce else {}
        self.record(kind, {"user_id": str(whom.pk), **(facts or {}), **said})

    def record(self, kind: str, facts: Mapping[str, Value]) -> None:
        """Leave one entry in the organisation's chain."""
        record(
            chain_id=ORGANISATION_CHAIN,
            about=About.ORGANISATION,
            kind=kind,
            by=self.actor,
            at=self.at,
            facts=facts,
        )


def _expected(found: Found | None, revision: int | None) -> Found:
    if found is None:
        raise NotThere
    if revision is not None and found.revision != revision:
        raise ChangedMeanwhile
    return found
