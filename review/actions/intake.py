"""Import: a call as read from a file becomes a stored call, sealed, with its catalog chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any
from uuid import UUID

from django.db import transaction

from catalogs.core.findings import Finding
from oipsce_site.ledger.actors import person, worker
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import record
from oipsce_site.people.models import Site, User
from oipsce_site.sealing import new_data_key
from review.actions.placing import Placed, place_call
from review.actions.revising import Reviser, store_transcript, transcript_columns
from review.core.transcript import Call as CallValue
from review.models import Call, RevisionWhy, State
from review.permissions import check_can_import

_LONGEST_KEY = 500
_LONGEST_SOURCE = 100
# What an integer column holds: 2**31 - 1, which is 24 days in milliseconds.
_LARGEST = 2_147_483_647


class UnableToImport(Exception):
    """The call is not taken; the sentence says why and what to do."""


class OtherBytes(UnableToImport):
    """The call is stored already, from other bytes than these."""


class ImportOutcome(Enum):
    """What an import did."""

    CREATED = "created"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Imported:
    """The stored call, what the import did, and in which state and transcript it stands."""

    call_id: UUID
    outcome: ImportOutcome
    state: str
    sentence: str
    transcript_revision: int = 1


def import_call(
    *,
    call_id: UUID,
    site: Site,
    call: CallValue,
    findings: Sequence[Finding],
    by: User | None,
    at: datetime,
) -> Imported:
    """Store a call at a site; `call_id` is the id it gets if it is new.

    The key is (site, source, external id); `call.source.sha256` says whether the bytes are the
    same. The same bytes again change nothing. `by` None is the operator of this machine. Raises
    NotAllowed, UnableToImport, or OtherBytes for other bytes under the same key.
    """
    actor = worker("import_calls") if by is None else person(by, check_can_import(by, site))
    check_can_store(call)
    placed = place_call(site, call)
    columns = transcript_columns(placed.call, (*findings, *placed.findings))
    by_whom = Reviser(by, actor, at)
    with transaction.atomic():
        if not _insert(call_id, site, placed, columns, by_whom):
            return _found_again(site, call)
        stored = Call.objects.select_for_update().get(pk=call_id)
        store_transcript(stored, placed.call, RevisionWhy.IMPORT, columns, by_whom)
        _record(stored, actor, at)
    return Imported(stored.id, ImportOutcome.CREATED, stored.state, stored.needs_mapping)


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
    if any(abs(number) > _LARGEST for number in _numbers(call)):
        raise UnableToImport(
            f"A turn number or time lies beyond {_LARGEST:,}; numbers count turns and times are "
            "milliseconds from the start of the call. Correct it."
        )


def _numbers(call: CallValue) -> Iterator[int]:
    """Yield every turn number and time that becomes a column."""
    for turn in call.turns:
        yield from (one for one in (turn.number, turn.start_ms, turn.end_ms) if one is not None)
    for event in call.events:
        found = (event.turn, event.at_ms, event.result_turn)
        yield from (one for one in found if one is not None)


def _insert(
    call_id: UUID, site: Site, placed: Placed, columns: Mapping[str, Any], by_whom: Reviser
) -> bool:
    """Insert the call's row; False when its key is taken (waits for who is just inserting it)."""
    call = placed.call
    row = Call(
        id=call_id,
        site=site,
        source=call.source.format,
        external_id=call.source.external_id,
        title=call.title,
        state=State.NEEDS_MAPPING if placed.sentence else State.RECEIVED,
        needs_mapping=placed.sentence,
        catalog_version_id=placed.version_id,
        call_date=call.date,
        started_at=call.started_at,
        language=call.language,
        source_sha256=call.source.sha256,
        wrapped_key=new_data_key(),
        received_at=by_whom.at,
        received_by=by_whom.user,
        **columns,
    )
    Call.objects.bulk_create([row], ignore_conflicts=True)
    return Call.objects.filter(pk=call_id).exists()


def _found_again(site: Site, call: CallValue) -> Imported:
    """Answer for a key that is taken. Raises OtherBytes when no transcript came of these bytes."""
    found = load_by_key(site, call)
    if not found.transcripts.filter(source_sha256=call.source.sha256).exists():
        raise OtherBytes(
            f"A call {call.source.external_id!r} of this source is stored already with other "
            "content; a stored transcript is never overwritten. Give the call another id, or ask "
            "for a new transcript revision (import_calls --new-revision)."
        )
    return answer_unchanged(found, call)


def answer_unchanged(found: Call, call: CallValue) -> Imported:
    """Answer for bytes that one of the call's transcripts came from."""
    current = found.transcripts.get(number=found.transcript_revision)
    sentence = found.needs_mapping
    if current.source_sha256 != call.source.sha256:
        sentence = (
            "These bytes are an earlier transcript of the call; its revision "
            f"{found.transcript_revision} came from others and stays. {sentence}"
        ).strip()
    return Imported(
        found.id, ImportOutcome.UNCHANGED, found.state, sentence, found.transcript_revision
    )


def load_by_key(site: Site, call: CallValue) -> Call:
    """Return the call of this key. Raises UnableToImport."""
    found = Call.objects.filter(
        site=site, source=call.source.format, external_id=call.source.external_id
    ).first()
    if found is None:
        raise UnableToImport(
            f"There is no call {call.source.external_id!r} of this source; import it first."
        )
    return found


def _record(stored: Call, by: Actor, at: datetime) -> None:
    version = stored.catalog_version
    record(
        chain_id=stored.id,
        about=About.CALL,
        kind="call.ingest",
        by=by,
        at=at,
        facts={
            "site_id": str(stored.site_id),
            "source_sha256": stored.source_sha256,
            "transcript_digest": stored.transcript_digest,
            "turns": stored.turn_count,
            "state": stored.state,
            "catalog_digest": None if version is None else version.digest,
        },
    )
