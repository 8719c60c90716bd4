"""The two doors to the words of a call: a person's, which leaves its entry, and a worker's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import OuterRef, Subquery

from catalogs.core.findings import Finding
from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About
from oipsce_site.ledger.record import record
from oipsce_site.people.matrix import Act, role_may
from oipsce_site.people.models import User
from oipsce_site.rows import load_rows
from review.actions.sealed import unseal_call, unseal_calls, unseal_notes, unseal_words
from review.core.decisions import FactValue
from review.core.masking import Masker, masker_of
from review.core.transcript import Call as CallValue
from review.models import Call, NoteKind
from review.permissions import NotAllowed, check_can_export, check_can_read, reads_at
from review.queries.findings import read_finding
from review.queries.folded import Made, load_made
from review.queries.reveals import live_reveals, revealed_until

_NO_CALL = "There is no such call."


class UnableToOpen(Exception):
    """There is no such call for this person; the sentence says no more than that."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a person did something to a call: what, who, when, their words, the note's number."""

    kind: str
    who: str
    at: datetime
    words: str
    number: int


def open_for_mapping(
    *, call_id: UUID, by: User, at: datetime
) -> tuple[CallValue, tuple[Reason, ...]]:
    """Return the call with its words, and the reasons that people gave for acts on it.

    Leaves its entry, masks and raises as `open_for_review`.
    """
    stored, sight = _opened(call_id, by, at)
    notes = list(stored.notes.select_related("by").order_by("number"))
    reasons = tuple(
        Reason(NoteKind(note.kind).label, note.by.printed_name, note.at, words, note.number)
        for note, words in zip(notes, unseal_notes(stored, notes), strict=True)
    )
    call = unseal_call(stored)
    if not sight.is_masked:
        return call, reasons
    masker = masker_of(call)
    return masker.call(call), tuple(replace(one, words=masker.text(one.words)) for one in reasons)


class Sight(NamedTuple):
    """How a person sees a call of a site that `masks` identifiers: with them where there is an
    `until` when that ends, else without. `masker` masks what else is said of the call.
    """

    masks: bool = False
    until: datetime | None = None
    masker: Masker | None = None

    @property
    def is_masked(self) -> bool:
        """Whether identifiers are masked for this person now."""
        return self.masks and self.until is None

    def text(self, text: str) -> str:
        """Return a text about the call as the person sees it."""
        return text if self.masker is None else self.masker.text(text)


class Opened(NamedTuple):
    """A call with its words, the decisions on it, and the reasons and comments by their number; all
    as the person sees them.
    """

    call: CallValue
    made: tuple[Made, ...]
    words: dict[int, str]
    sight: Sight = Sight()


def open_for_review(*, call_id: UUID, by: User, at: datetime) -> Opened:
    """Return the call with its words and with what people have decided and written.

    The decision log has it that `by` opened the call before a seal is broken, so a reading that
    fails has left its trace too. Where the site masks identifiers they are masked here, for every
    page alike, unless `by` has revealed those of this call. Raises UnableToOpen for a call that is
    not there or not theirs to read, SealBroken for words that do not open.
    """
    stored, sight = _opened(call_id, by, at)
    return _seen(stored, load_made(stored.pk), sight)


def open_decided(stored: Call, made: tuple[Made, ...], *, reader: User, now: datetime) -> Opened:
    """Return the same where the caller has left an entry that names the reader, and knows what was
    decided. Raises SealBroken or SealingKeyError.
    """
    masks = stored.site.masks_identifiers
    until = revealed_until(stored.pk, reader, now) if masks else None
    return _seen(stored, made, Sight(masks=masks, until=until))


def _seen(stored: Call, made: tuple[Made, ...], sight: Sight) -> Opened:
    written = stored.decisions.filter(sealed__isnull=False) if _any_words(made) else ()
    call, words = unseal_call(stored), unseal_words(stored, written)
    if not sight.is_masked:
        return Opened(call, made, words, sight)
    masker = masker_of(call)
    return Opened(
        masker.call(call),
        tuple(_without_identifiers(one, masker) for one in made),
        {number: masker.text(text) for number, text in words.items()},
        sight._replace(masker=masker),
    )


def _without_identifiers(made: Made, masker: Masker) -> Made:
    value = made.decision.value
    if not isinstance(value, FactValue):
        return made
    shown = masker.scalar(value.value)
    return replace(made, decision=made.decision._replace(value=FactValue(shown)))


def open_blind(*, call_id: UUID, reading_id: UUID, by: User, at: datetime) -> CallValue:
    """Return the words of a call alone, for who reads it blind; nothing that was decided on it.

    Leaves an entry that names the reading, and raises as `open_for_review`.
    """
    stored, sight = _opened(call_id, by, at, {"reading": str(reading_id)})
    call = unseal_call(stored)
    return masker_of(call).call(call) if sight.is_masked else call


def _any_words(made: tuple[Made, ...]) -> bool:
    return any(one.has_words for one in made)


def _opened(
    call_id: UUID, by: User, at: datetime, more: Mapping[str, Value] | None = None
) -> tuple[Call, Sight]:
    with transaction.atomic(durable=True):
        # The reveal comes with the call: a page has fifteen queries.
        live = live_reveals(OuterRef("pk"), by, at).order_by("-until").values("until")[:1]
        found = Call.objects.select_related("site").annotate(revealed_until=Subquery(live))
        stored = found.filter(pk=call_id, erased_at=None).first()
        if stored is None:
            raise UnableToOpen(_NO_CALL)
        try:
            role = check_can_read(by, stored.site)
        except NotAllowed as refusal:
            # Not theirs is not there: the refusal's own words would say that it is.
            raise UnableToOpen(_NO_CALL) from refusal
        until = stored.revealed_until if role_may(Act.REVEAL_IDENTIFIERS, role) else None
        sight = Sight(masks=True, until=until) if stored.site.masks_identifiers else Sight()
        record(
            chain_id=stored.id,
            about=About.CALL,
            kind="call.open",
            by=person(by, role),
            at=at,
            facts={
                "revision": stored.revision,
                "transcript_revision": stored.transcript_revision,
                "masked": sight.is_masked,
                **(more or {}),
            },
        )
    return stored, sight


@dataclass(frozen=True, slots=True)
class Work:
    """A call with its words, as a worker reads it, and the findings of its import."""

    call: CallValue
    findings: tuple[Finding, ...]


def work_on(*, call_id: UUID) -> Work:
    """Return what a worker judges; its run has its own entries in the log.

    Raises Call.DoesNotExist, SealBroken or SealingKeyError.
    """
    found = work_on_all(call_ids=[call_id])
    if not found:
        raise Call.DoesNotExist
    return found[call_id]


def work_on_all(*, call_ids: Sequence[UUID]) -> dict[UUID, Work]:
    """Return by id what `work_on` does, of those calls that are there.

    Raises SealBroken or SealingKeyError, whichever of the calls it is about.
    """
    stored = load_rows(Call, call_ids)
    calls = unseal_calls(stored) if stored else []
    return {
        one.pk: Work(call, tuple(map(read_finding, one.findings)))
        for one, call in zip(stored, calls, strict=True)
    }


def open_for_export(*, call_id: UUID, by: User, at: datetime) -> CallValue:
    """Return the call with its words, for a file that leaves: masked as the page masks, its own
    facts too, and with identifiers only while `by` has those of this call revealed.

    Leaves the entry of an opening that says so. Raises NotAllowed for who reads the call and
    exports nothing of the site, and as `open_for_review`.
    """
    found = Call.objects.select_related("site").filter(pk=call_id, erased_at=None).first()
    if found is None or not reads_at(by, found.site):
        raise UnableToOpen(_NO_CALL)
    check_can_export(by, found.site)
    stored, sight = _opened(call_id, by, at, {"export": "vcon"})
    call = unseal_call(stored)
    if not sight.is_masked:
        return call
    masker = masker_of(call)
    # The id that the source gave may be a name; ours says nothing.
    return replace(
        _without_names_in_keys(masker.call(call), masker),
        id=str(stored.pk),
        attributes=masker.attributes(call.attributes),
        source=replace(call.source, external_id=str(stored.pk)),
    )


def _without_names_in_keys(call: CallValue, masker: Masker) -> CallValue:
    """Return a call whose speakers' keys are no names: some formats know a speaker by the name."""
    keys = {
        key: key if masker.label(key) == key else f"speaker {number}"
        for number, key in enumerate(call.speakers, start=1)
    }
    return replace(
        call,
        speakers={keys[key]: replace(one, key=keys[key]) for key, one in call.speakers.items()},
        turns=tuple(replace(one, speaker=keys.get(one.speaker, one.speaker)) for one in call.turns),
    )
