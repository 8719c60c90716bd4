"""Import: a call as read from a file becomes a stored call, sealed, with its catalog chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any
from uuid import UUID

from django.db import transaction

from catalogs.core.findings import Finding
from catalogs.queries import version_for_call
from oipsce_site.ledger.actors import person, worker
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import record
from oipsce_site.people.models import Site, User
from oipsce_site.sealing import new_data_key
from review.actions.call_line import first_words
from review.actions.sealed import copy_turns, seal_events
from review.core.transcript import ORDER_AFFECTING, apply_role_map, propose_role_map
from review.core.transcript import Call as CallValue
from review.core.transcript.storing import (
    attributes_to_plain,
    speakers_to_plain,
    transcript_digest,
)
from review.models import Call, Event, State
from review.permissions import check_can_import

_LONGEST_KEY = 500
_LONGEST_SOURCE = 100
# What an integer column holds: 2**31 - 1, which is 24 days in milliseconds.
_LARGEST = 2_147_483_647
_ROWS_AT_ONCE = 1000
_MOST_NAMED = 5


class UnableToImport(Exception):
    """The call is not taken; the sentence says why and what to do."""


class ImportOutcome(Enum):
    """What an import did."""

    CREATED = "created"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Imported:
    """The stored call, whether it is new, and in which state it stands."""

    call_id: UUID
    outcome: ImportOutcome
    state: str
    sentence: str


@dataclass(frozen=True, slots=True)
class _Placed:
    """A call with its roles mapped, the version that judges it, and what a person must settle."""

    call: CallValue
    version_id: UUID | None
    findings: tuple[Finding, ...]
    sentence: str


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
    NotAllowed, UnableToImport for other bytes under the same key.
    """
    actor = worker("import_calls") if by is None else person(by, check_can_import(by, site))
    check_can_store(call)
    placed = _place(call)
    with transaction.atomic():
        if not _insert(call_id, site, placed, findings, by, at):
            return _found_again(site, call)
        stored = Call.objects.select_for_update().get(pk=call_id)
        copy_turns(stored, placed.call)
        Event.objects.bulk_create(seal_events(stored, placed.call), batch_size=_ROWS_AT_ONCE)
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


def _place(call: CallValue) -> _Placed:
    """Choose the catalog and map the speakers to its roles; say what is left open."""
    choice = version_for_call(call.attributes, call.date)
    if choice.document is None:
        return _Placed(call, None, (), choice.sentence or "")
    roles, open_roles = propose_role_map(call, frozenset(choice.document.speakers))
    mapped = apply_role_map(call, roles)
    sentences = [*_open_roles(open_roles), *_order_in_doubt(mapped)]
    return _Placed(mapped, choice.version_id, open_roles, " ".join(sentences))


def _open_roles(open_roles: tuple[Finding, ...]) -> list[str]:
    named = [finding.text for finding in open_roles[:_MOST_NAMED]]
    rest = len(open_roles) - len(named)
    return named + ([f"{rest} more speakers have no role."] if rest else [])


def _order_in_doubt(call: CallValue) -> list[str]:
    codes = sorted(set(call.flags) & ORDER_AFFECTING - {"role_unknown"})
    if not codes:
        return []
    return [
        f"The order of turns or a speaker is in doubt ({', '.join(codes)}); look at the findings "
        "and say how the call is to be read."
    ]


def _insert(
    call_id: UUID,
    site: Site,
    placed: _Placed,
    findings: Sequence[Finding],
    by: User | None,
    at: datetime,
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
        ended=call.ended,
        call_date=call.date,
        started_at=call.started_at,
        language=call.language,
        attributes=attributes_to_plain(call.attributes),
        speakers=speakers_to_plain(call.speakers),
        flags=list(call.flags),
        findings=[_plain(finding) for finding in (*findings, *placed.findings)],
        search=first_words(call, (*findings, *placed.findings)),
        turn_count=len(call.turns),
        source_sha256=call.source.sha256,
        transcript_digest=transcript_digest(call),
        wrapped_key=new_data_key(),
        received_at=at,
        received_by=by,
    )
    Call.objects.bulk_create([row], ignore_conflicts=True)
    return Call.objects.filter(pk=call_id).exists()


def _found_again(site: Site, call: CallValue) -> Imported:
    """Answer for a key that is taken. Raises UnableToImport when the bytes are others."""
    found = Call.objects.get(
        site=site, source=call.source.format, external_id=call.source.external_id
    )
    if found.source_sha256 != call.source.sha256:
        raise UnableToImport(
            f"A call {call.source.external_id!r} of this source is stored already with other "
            "content; a stored transcript is never overwritten. Give the call another id, or ask "
            "for a new transcript revision."
        )
    return Imported(found.id, ImportOutcome.UNCHANGED, found.state, found.needs_mapping)


def _plain(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "where": finding.where,
        "text": finding.text,
        "line": finding.line,
    }


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
