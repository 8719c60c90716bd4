"""The two doors to the words of a call: a person's, which leaves its entry, and a worker's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db import transaction

from catalogs.core.findings import Finding
from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.entry import About
from oipsce_site.ledger.record import record
from oipsce_site.people.models import User
from oipsce_site.rows import load_rows
from review.actions.sealed import unseal_call, unseal_calls, unseal_notes, unseal_words
from review.core.transcript import Call as CallValue
from review.models import Call, NoteKind
from review.permissions import NotAllowed, check_can_read
from review.queries.findings import read_finding
from review.queries.folded import Made, load_made

_NO_CALL = "There is no such call."


class UnableToOpen(Exception):
    """There is no such call for this person; the sentence says no more than that."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a person sent a call back or withdrew it: what they did, who, when, and their words."""

    kind: str
    who: str
    at: datetime
    words: str


def open_for_mapping(
    *, call_id: UUID, by: User, at: datetime
) -> tuple[CallValue, tuple[Reason, ...]]:
    """Return the call with its words, and the reasons that people gave for acts on it.

    Leaves its entry and raises as `open_for_review`.
    """
    stored = _opened(call_id, by, at)
    notes = list(stored.notes.select_related("by").order_by("number"))
    reasons = tuple(
        Reason(NoteKind(note.kind).label, note.by.printed_name, note.at, words)
        for note, words in zip(notes, unseal_notes(stored, notes), strict=True)
    )
    return unseal_call(stored), reasons


class Opened(NamedTuple):
    """A call with its words, the decisions on it, and the reasons and comments by their number."""

    call: CallValue
    made: tuple[Made, ...]
    words: dict[int, str]


def open_for_review(*, call_id: UUID, by: User, at: datetime) -> Opened:
    """Return the call with its words and with what people have decided and written.

    The decision log has it that `by` opened the call before a seal is broken, so a reading that
    fails has left its trace too. Raises UnableToOpen for a call that is not there or not theirs to
    read, SealBroken for words that do not open.
    """
    stored = _opened(call_id, by, at)
    return open_decided(stored, load_made(stored.pk))


def open_decided(stored: Call, made: tuple[Made, ...]) -> Opened:
    """Return the same where the caller has left an entry that names the person, and knows what was
    decided. Raises SealBroken or SealingKeyError.
    """
    written = stored.decisions.filter(sealed__isnull=False) if _any_words(made) else ()
    return Opened(unseal_call(stored), made, unseal_words(stored, written))


def _any_words(made: tuple[Made, ...]) -> bool:
    return any(one.has_words for one in made)


def _opened(call_id: UUID, by: User, at: datetime) -> Call:
    with transaction.atomic(durable=True):
        stored = Call.objects.select_related("site").filter(pk=call_id, erased_at=None).first()
        if stored is None:
            raise UnableToOpen(_NO_CALL)
        try:
            role = check_can_read(by, stored.site)
        except NotAllowed as refusal:
            # Not theirs is not there: the refusal's own words would say that it is.
            raise UnableToOpen(_NO_CALL) from refusal
        record(
            chain_id=stored.id,
            about=About.CALL,
            kind="call.open",
            by=person(by, role),
            at=at,
            facts={
                "revision": stored.revision,
                "transcript_revision": stored.transcript_revision,
            },
        )
    return stored


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
