"""A portion of an import: some calls as found in a file, stored together, told one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from django.db import DataError, transaction

from oipsce_site.ledger.core.entry import Actor
from oipsce_site.people.models import Site, User
from review.actions.intake import Imported, Offer, Refused, import_calls
from review.core.batches import Found

# The database's own words would repeat the value.
_UNHOLDABLE = Refused("A value is beyond what can be stored. Correct the call.")


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of one thing found: `word` is created, unchanged, changed or refused."""

    word: str
    place: str
    sentence: str
    call_id: UUID | None = None

    @property
    def is_refused(self) -> bool:
        """Whether the call was not taken."""
        return self.call_id is None


def import_portion(
    *, site: Site, found: Sequence[Found], actor: Actor, received_by: User | None, at: datetime
) -> list[Taken]:
    """Store what was found, in one transaction, and say what became of each, in order.

    A call that the database cannot hold is refused alone: the others are then stored one by one.
    The caller has checked the right to import.
    """
    offers = [
        Offer(uuid4(), uuid4(), one.call, one.findings) for one in found if one.call is not None
    ]
    try:
        with transaction.atomic():
            imported = import_calls(
                site=site, offers=offers, actor=actor, received_by=received_by, at=at
            )
    except DataError:
        imported = [_import_alone(site, offer, actor, received_by, at) for offer in offers]
    answers = iter(imported)
    return [
        Taken("refused", one.place, one.sentence)
        if one.call is None
        else _taken(one.place, next(answers))
        for one in found
    ]


def _import_alone(
    site: Site, offer: Offer, actor: Actor, received_by: User | None, at: datetime
) -> Imported | Refused:
    try:
        with transaction.atomic():
            [imported] = import_calls(
                site=site, offers=[offer], actor=actor, received_by=received_by, at=at
            )
    except DataError:
        return _UNHOLDABLE
    return imported


def _taken(place: str, imported: Imported | Refused) -> Taken:
    if isinstance(imported, Refused):
        return Taken("refused", place, imported.sentence)
    return Taken(imported.outcome.value, place, imported.sentence, imported.call_id)
