"""Import: a call as read from a file becomes a stored call, sealed, with its catalog chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Prefetch

from catalogs.core.findings import Finding
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import Act, record_all
from oipsce_site.people.models import Site, User
from oipsce_site.rows import insert_instances
from oipsce_site.sealing import new_data_key
from review.actions.acting import importing_actor
from review.actions.call_line import first_words
from review.actions.placing import Placed, Placer
from review.actions.prefill import queue_runs
from review.actions.revising import Reviser, store_first_transcripts, transcript_columns
from review.core.transcript import Call as CallValue
from review.models import Call, State, TranscriptRevision
from review.permissions import check_takes_calls

_LONGEST_KEY = 500
_LONGEST_SOURCE = 100
# What an integer column holds: 2**31 - 1, which is 24 days in milliseconds.
_LARGEST = 2_147_483_647


class UnableToImport(Exception):
    """The call is not taken; the sentence says why and what to do."""


class ImportOutcome(Enum):
    """What an import did."""

    CREATED = "created"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Offer:
    """A call as read from a file, with the ids that it and its pre-fill get if it is new."""

    call_id: UUID
    run_id: UUID
    call: CallValue
    findings: Sequence[Finding] = ()


@dataclass(frozen=True, slots=True)
class Imported:
    """The stored call, what the import did, and in which state and transcript it stands.

    `sentence` is what a person must settle before any row is filled; empty when nothing is.
    """

    call_id: UUID
    outcome: ImportOutcome
    state: str
    sentence: str
    transcript_revision: int = 1


@dataclass(frozen=True, slots=True)
class Refused:
    """An offer that is not taken; the sentence says why and what to do.

    `is_other_bytes` says that the call is stored already, from other bytes than these.
    """

    sentence: str
    is_other_bytes: bool = False


@dataclass(frozen=True, slots=True)
class _Placed:
    """An offer and its place, with the columns that the call and its first transcript share."""

    offer: Offer
    place: Placed
    columns: Mapping[str, Any]

    @property
    def call(self) -> CallValue:
        """The call with its roles mapped."""
        return self.place.call


def import_calls(
    *, site: Site, offers: Sequence[Offer], actor: Actor, received_by: User | None, at: datetime
) -> list[Imported | Refused]:
    """Store many calls at a site and ask for their pre-fills, in one transaction.

    Returns what became of each offer, in their order; a refused one stops no other. `actor` is
    who acts, whose right to import the caller has checked. Raises DataError when the database
    cannot hold a value; then nothing is stored.
    """
    placer = Placer(site)
    placed: dict[UUID, _Placed] = {}
    answers: dict[UUID, Imported | Refused] = {}
    for offer in offers:
        try:
            check_can_store(offer.call)
        except UnableToImport as refusal:
            answers[offer.call_id] = Refused(str(refusal))
        else:
            placed[offer.call_id] = _place(offer, placer)
    with transaction.atomic():
        stored = _insert(site, placed, received_by, at)
        by_whom = Reviser(received_by, actor, at)
        firsts = [(call, placed[call_id].call) for call_id, call in stored.items()]
        store_first_transcripts(firsts, [placed[one].columns for one in stored], by_whom)
        _queue_and_record(stored, placed, actor, at)
        for call_id, call in stored.items():
            answers[call_id] = Imported(
                call_id, ImportOutcome.CREATED, call.state, call.needs_mapping
            )
        known = [one for call_id, one in placed.items() if call_id not in stored]
        answers |= _found_again(site, known)
    return [answers[offer.call_id] for offer in offers]


def import_call(*, site: Site, offer: Offer, by: User | None, at: datetime) -> Imported:
    """Store a call at a site and ask for its pre-fill.

    The key is (site, source, external id); `call.source.sha256` says whether the bytes are the
    same. The same bytes again change nothing. `by` None is the operator of this machine. Raises
    NotAllowed, UnableToImport for other bytes under the same key or what the tables do not hold.
    """
    check_takes_calls(site)
    actor = importing_actor(by, site)
    [imported] = import_calls(site=site, offers=[offer], actor=actor, received_by=by, at=at)
    if isinstance(imported, Refused):
        raise UnableToImport(imported.sentence)
    return imported


def check_can_store(call: CallValue) -> None:
    """Check what the tables hold. Raises UnableToImport."""
    if not call.turns:
        raise UnableToImport("The call has no turns, so there is nothing to review.")
    if not 0 < len(call.source.external_id) <= _LONGEST_KEY:
        raise UnableToImport(f"The call's id must have 1 to {_LONGEST_KEY} characters; shorten it.")
    if len(call.source.format) > _LONGEST_SOURCE:
        raise UnableToImport(
            f"The source's name has over {_LONGEST_SOURCE} characters; shorten it."
        )
    if max(map(abs, _numbers(call))) > _LARGEST:
        raise UnableToImport(
            f"A turn number or time lies beyond {_LARGEST:,}; numbers count turns and times are "
            "milliseconds from the start of the call. Correct it."
        )


def _numbers(call: CallValue) -> list[int]:
    """Return every turn number and time that becomes a column."""
    of_turns = [(turn.number, turn.start_ms, turn.end_ms) for turn in call.turns]
    of_events = [(event.turn, event.at_ms, event.result_turn) for event in call.events]
    return [one for found in (*of_turns, *of_events) for one in found if one is not None]


def _place(offer: Offer, placer: Placer) -> _Placed:
    place = placer.place(offer.call, offer.call_id)
    findings = (*offer.findings, *place.findings)
    return _Placed(offer, place, transcript_columns(place.call, findings))


def _insert(
    site: Site, placed: Mapping[UUID, _Placed], received_by: User | None, at: datetime
) -> dict[UUID, Call]:
    """Insert the calls whose key is free (waits for who is just inserting one); returns them."""
    calls = [_row(site, one, received_by, at) for one in placed.values()]
    added = insert_instances(calls, ending="ON CONFLICT DO NOTHING RETURNING id")
    inserted = {call_id for (call_id,) in added}
    return {call.pk: call for call in calls if call.pk in inserted}


def _row(site: Site, placed: _Placed, received_by: User | None, at: datetime) -> Call:
    call, place = placed.call, placed.place
    return Call(
        id=placed.offer.call_id,
        site=site,
        source=call.source.format,
        external_id=call.source.external_id,
        title=call.title,
        state=State.NEEDS_MAPPING if place.sentence else State.RECEIVED,
        needs_mapping=place.sentence,
        catalog_version=place.version,
        call_date=call.date,
        started_at=call.started_at,
        language=call.language,
        search=first_words(call, (*placed.offer.findings, *place.findings)),
        source_sha256=call.source.sha256,
        wrapped_key=new_data_key(),
        received_at=at,
        received_by=received_by,
        **placed.columns,
    )


def _queue_and_record(
    stored: Mapping[UUID, Call], placed: Mapping[UUID, _Placed], by: Actor, at: datetime
) -> None:
    acts = [_act(call, by) for call in stored.values()]
    ready = [call for call in stored.values() if call.state == State.RECEIVED]
    runs = [placed[call.pk].offer.run_id for call in ready]
    record_all([*acts, *queue_runs(ready, runs, by, at)], at=at)


def _found_again(site: Site, placed: Sequence[_Placed]) -> dict[UUID, Imported | Refused]:
    """Answer for keys that are taken: unchanged, or refused when no transcript is of the bytes."""
    ids = [one.call.source.external_id for one in placed]
    stored = Call.objects.filter(site=site, external_id__in=ids).prefetch_related(
        Prefetch("transcripts", TranscriptRevision.objects.only("call", "number", "source_sha256"))
    )
    known = {(call.source, call.external_id): call for call in stored}
    return {
        one.offer.call_id: _again(
            known[one.call.source.format, one.call.source.external_id], one.call
        )
        for one in placed
    }


def _again(found: Call, call: CallValue) -> Imported | Refused:
    if found.erased_at is not None:
        return Refused(
            f"The call {found.external_id!r} of this source was erased, so it is not taken again."
        )
    if any(one.source_sha256 == call.source.sha256 for one in found.transcripts.all()):
        return answer_unchanged(found, call)
    return Refused(
        f"A call {found.external_id!r} of this source is stored already with other content; a "
        "stored transcript is never overwritten. Give the call another id, or ask for a new "
        "transcript revision (import_calls --new-revision, or the box on the page of imports).",
        is_other_bytes=True,
    )


def answer_unchanged(found: Call, call: CallValue) -> Imported:
    """Answer for bytes that one of the call's transcripts came from."""
    [current] = [one for one in found.transcripts.all() if one.number == found.transcript_revision]
    sentence = found.needs_mapping
    if current.source_sha256 != call.source.sha256:
        sentence = (
            "These bytes are an earlier transcript of the call; its revision "
            f"{found.transcript_revision} came from others and stays. {sentence}"
        ).strip()
    return Imported(
        found.pk, ImportOutcome.UNCHANGED, found.state, sentence, found.transcript_revision
    )


def _act(stored: Call, by: Actor) -> Act:
    version = stored.catalog_version
    facts: dict[str, Value] = {
        "site_id": str(stored.site_id),
        "source_sha256": stored.source_sha256,
        "transcript_digest": stored.transcript_digest,
        "turns": stored.turn_count,
        "state": stored.state,
        "catalog_digest": None if version is None else version.digest,
    }
    return Act(stored.pk, About.CALL, "call.ingest", by, facts)
