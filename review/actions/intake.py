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
from catalogs.models import CatalogVersion
from catalogs.queries import Published, published_versions
from oipsce_site.ledger.actors import person, worker
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import Act, record_all
from oipsce_site.people.models import Site, User
from oipsce_site.sealing import new_data_key
from review.actions.call_line import first_words
from review.actions.prefill import queue_runs
from review.actions.sealed import copy_turns, seal_events
from review.core.transcript import ORDER_AFFECTING, apply_role_map, propose_role_map
from review.core.transcript import Call as CallValue
from review.core.transcript.storing import (
    attributes_to_plain,
    speakers_to_plain,
    transcript_digest,
)
from review.models import Call, Event, State
from review.permissions import check_can_import, check_takes_calls

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
class Offer:
    """A call as read from a file, with the ids that it and its pre-fill get if it is new."""

    call_id: UUID
    run_id: UUID
    call: CallValue
    findings: Sequence[Finding] = ()


@dataclass(frozen=True, slots=True)
class Imported:
    """The stored call, whether it is new, and in which state it stands.

    `sentence` is what a person must settle before any row is filled; empty when nothing is.
    """

    call_id: UUID
    outcome: ImportOutcome
    state: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Refused:
    """An offer that is not taken; the sentence says why and what to do."""

    sentence: str


@dataclass(frozen=True, slots=True)
class _Placed:
    """An offer with its roles mapped, the version that judges it, and what a person must settle."""

    offer: Offer
    call: CallValue
    version: CatalogVersion | None
    findings: tuple[Finding, ...]
    sentence: str


def import_calls(
    *, site: Site, offers: Sequence[Offer], actor: Actor, received_by: User | None, at: datetime
) -> list[Imported | Refused]:
    """Store many calls at a site and ask for their pre-fills, in one transaction.

    Returns what became of each offer, in their order; a refused one stops no other. `actor` is
    who acts, whose right to import the caller has checked. Raises DataError when the database
    cannot hold a value; then nothing is stored.
    """
    published = published_versions()
    placed: dict[UUID, _Placed] = {}
    answers: dict[UUID, Imported | Refused] = {}
    for offer in offers:
        try:
            check_can_store(offer.call)
        except UnableToImport as refusal:
            answers[offer.call_id] = Refused(str(refusal))
        else:
            placed[offer.call_id] = _place(offer, published)
    with transaction.atomic():
        stored = _insert(site, placed, received_by, at)
        _store_words([(call, placed[call_id].call) for call_id, call in stored.items()])
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
    actor = worker("import_calls") if by is None else person(by, check_can_import(by, site))
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


def _place(offer: Offer, published: Published) -> _Placed:
    """Choose the catalog and map the speakers to its roles; say what is left open."""
    call = offer.call
    choice = published.choose(call.attributes, call.date)
    if choice.document is None or choice.version is None:
        return _Placed(offer, call, None, (), choice.sentence or "")
    roles, open_roles = propose_role_map(call, frozenset(choice.document.speakers))
    mapped = apply_role_map(call, roles)
    sentences = [*_open_roles(open_roles), *_order_in_doubt(mapped)]
    return _Placed(offer, mapped, choice.version, open_roles, " ".join(sentences))


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
    site: Site, placed: Mapping[UUID, _Placed], received_by: User | None, at: datetime
) -> dict[UUID, Call]:
    """Insert the calls whose key is free (waits for who is just inserting one); returns them."""
    rows = [_row(site, one, received_by, at) for one in placed.values()]
    Call.objects.bulk_create(rows, ignore_conflicts=True)
    inserted = set(Call.objects.filter(pk__in=placed).values_list("pk", flat=True))
    return {row.pk: row for row in rows if row.pk in inserted}


def _row(site: Site, placed: _Placed, received_by: User | None, at: datetime) -> Call:
    call = placed.call
    return Call(
        id=placed.offer.call_id,
        site=site,
        source=call.source.format,
        external_id=call.source.external_id,
        title=call.title,
        state=State.NEEDS_MAPPING if placed.sentence else State.RECEIVED,
        needs_mapping=placed.sentence,
        catalog_version=placed.version,
        ended=call.ended,
        call_date=call.date,
        started_at=call.started_at,
        language=call.language,
        attributes=attributes_to_plain(call.attributes),
        speakers=speakers_to_plain(call.speakers),
        flags=list(call.flags),
        findings=[_plain(finding) for finding in (*placed.offer.findings, *placed.findings)],
        search=first_words(call, (*placed.offer.findings, *placed.findings)),
        turn_count=len(call.turns),
        source_sha256=call.source.sha256,
        transcript_digest=transcript_digest(call),
        wrapped_key=new_data_key(),
        received_at=at,
        received_by=received_by,
    )


def _store_words(calls: Sequence[tuple[Call, CallValue]]) -> None:
    copy_turns(calls)
    events = [event for stored, call in calls for event in seal_events(stored, call)]
    Event.objects.bulk_create(events, batch_size=_ROWS_AT_ONCE)


def _queue_and_record(
    stored: Mapping[UUID, Call], placed: Mapping[UUID, _Placed], by: Actor, at: datetime
) -> None:
    acts = [_act(call, by) for call in stored.values()]
    ready = [call for call in stored.values() if call.state == State.RECEIVED]
    runs = [placed[call.pk].offer.run_id for call in ready]
    record_all([*acts, *queue_runs(ready, runs, by, at)], at=at)


def _found_again(site: Site, placed: Sequence[_Placed]) -> dict[UUID, Imported | Refused]:
    """Answer for keys that are taken: unchanged, or refused when the bytes are others."""
    ids = [one.call.source.external_id for one in placed]
    known = {
        (call.source, call.external_id): call
        for call in Call.objects.filter(site=site, external_id__in=ids)
    }
    return {
        one.offer.call_id: _again(one, known[one.call.source.format, one.call.source.external_id])
        for one in placed
    }


def _again(placed: _Placed, found: Call) -> Imported | Refused:
    if found.source_sha256 == placed.call.source.sha256:
        return Imported(found.pk, ImportOutcome.UNCHANGED, found.state, found.needs_mapping)
    return Refused(
        f"A call {found.external_id!r} of this source is stored already with other content; a "
        "stored transcript is never overwritten. Give the call another id, or ask for a new "
        "transcript revision."
    )


def _plain(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "where": finding.where,
        "text": finding.text,
        "line": finding.line,
    }


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
