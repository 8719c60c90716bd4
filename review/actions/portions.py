"""A portion of an import: some calls as found in a file, stored together, told one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from django.db import DataError, transaction

from catalogs.queries import published_versions
from oipsce_site.ledger.core.entry import Actor
from oipsce_site.people.models import Site, User
from review.actions.intake import Imported, Offer, Refused, UnableToImport, import_calls
from review.actions.mapping import Reading, confirm_mapping
from review.actions.refusals import MovedOn, UnableToMap
from review.actions.reimport import import_revision
from review.core.batches import Found
from review.core.transcript import Call as CallValue
from review.core.transcript import Settings, propose_roles
from review.models import State
from review.permissions import NotAllowed
from review.queries.draws import draw_of

# The database's own words would repeat the value.
_UNHOLDABLE = Refused("A value is beyond what can be stored. Correct the call.")


@dataclass(frozen=True, slots=True)
class Asked:
    """What the importer decided beforehand.

    `confirm_roles` confirms every role that a usual name proposes, for this source and catalog;
    `new_revision` takes other bytes of a known call as its next transcript.
    """

    confirm_roles: bool = False
    new_revision: bool = False


#: Nothing decided beforehand.
AS_USUAL = Asked()


@dataclass(frozen=True, slots=True)
class Importer:
    """For whom an import is: at which site, who acts, who received it (None: the operator)."""

    site: Site
    actor: Actor
    received_by: User | None
    asked: Asked = AS_USUAL


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


def import_portion(*, importer: Importer, found: Sequence[Found], at: datetime) -> list[Taken]:
    """Store what was found, in one transaction, and say what became of each, in order.

    A call that the database cannot hold is refused alone: the others are then stored one by one.
    The caller has checked the right to import.
    """
    offers = [
        Offer(uuid4(), uuid4(), one.call, one.findings) for one in found if one.call is not None
    ]
    try:
        with transaction.atomic():
            imported = _import(importer, offers, at)
    except DataError:
        imported = [_import_alone(importer, offer, at) for offer in offers]
    answers = iter(zip(offers, imported, strict=True))
    return [
        Taken("refused", one.place, one.sentence)
        if one.call is None
        else _as_asked(importer, one.place, *next(answers), at)
        for one in found
    ]


def _import(importer: Importer, offers: Sequence[Offer], at: datetime) -> list[Imported | Refused]:
    return import_calls(
        site=importer.site,
        offers=offers,
        actor=importer.actor,
        received_by=importer.received_by,
        at=at,
    )


def _import_alone(importer: Importer, offer: Offer, at: datetime) -> Imported | Refused:
    try:
        with transaction.atomic():
            [imported] = _import(importer, [offer], at)
    except DataError:
        return _UNHOLDABLE
    return imported


def _as_asked(
    importer: Importer, place: str, offer: Offer, imported: Imported | Refused, at: datetime
) -> Taken:
    """Do what the importer decided beforehand, and tell what became of the call."""
    asked = importer.asked
    if isinstance(imported, Refused) and imported.is_other_bytes and asked.new_revision:
        imported = _revise(importer, offer, at)
    if isinstance(imported, Refused):
        return Taken("refused", place, imported.sentence)
    sentence = imported.sentence
    if asked.confirm_roles and imported.state == State.NEEDS_MAPPING:
        sentence = _confirm_roles(importer, offer.call, imported, at)
    return Taken(imported.outcome.value, place, sentence, imported.call_id)


def _revise(importer: Importer, offer: Offer, at: datetime) -> Imported | Refused:
    by = importer.received_by
    try:
        with transaction.atomic():
            imported = import_revision(site=importer.site, offer=offer, by=by, at=at)
    except (UnableToImport, NotAllowed) as refusal:
        return Refused(str(refusal))
    except DataError:
        return _UNHOLDABLE
    return imported


def _confirm_roles(importer: Importer, call: CallValue, imported: Imported, at: datetime) -> str:
    """Confirm the proposed roles; a call that waits for more than them stays as it is."""
    draw, site = draw_of(imported.call_id), importer.site.slug
    choice = published_versions().choose(call.attributes, call.date, site=site, draw=draw)
    declared = choice.document
    proposed = propose_roles(call, declared.speakers if declared else ())
    reading = Reading(
        settings=Settings({}, call.ended, call.language),
        roles={one.key: one.role for one in proposed if one.role},
        accepted=frozenset(),
        version_id=None,
        remember=True,
        expected=imported.transcript_revision,
    )
    try:
        with transaction.atomic():
            confirm_mapping(
                call_id=imported.call_id,
                reading=reading,
                run_id=uuid4(),
                by=importer.received_by,
                at=at,
            )
    except (UnableToMap, MovedOn, NotAllowed):
        return imported.sentence
    return "Its roles were confirmed and are remembered."
