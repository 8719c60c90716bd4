"""Transcript revisions of a stored call: the first, and every later one; old turns stay.

`Call` repeats the columns of its current revision, so both are written here together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from catalogs.core.findings import Finding
from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import record
from oipsce_site.people.models import User
from oipsce_site.rows import insert_rows
from review.actions.call_line import clear_line
from review.actions.drawing import end_readings
from review.actions.refusals import MovedOn, UnableToMap
from review.actions.sealed import copy_events, copy_turns, unseal_call
from review.core.transcript import Call as CallValue
from review.core.transcript import CannotSwap, Swap, open_findings, swap_voices
from review.core.transcript.storing import (
    attributes_to_plain,
    speakers_to_plain,
    transcript_digest,
)
from review.models import Call, ReadingEnd, RevisionWhy, State, TranscriptRevision
from review.permissions import check_can_map
from review.queries.findings import finding_to_plain, read_finding


@dataclass(frozen=True, slots=True)
class Reviser:
    """Who makes a revision, when: the person (None is the operator) and how the log names them."""

    user: User | None
    actor: Actor
    at: datetime


def transcript_columns(call: CallValue, findings: Sequence[Finding]) -> dict[str, Any]:
    """Return what a call and its current transcript revision both keep of a call as read."""
    return {
        "ended": call.ended,
        "attributes": attributes_to_plain(call.attributes),
        "speakers": speakers_to_plain(call.speakers),
        "flags": list(call.flags),
        "findings": [finding_to_plain(finding) for finding in findings],
        "turn_count": len(call.turns),
        "transcript_digest": transcript_digest(call),
    }


def store_first_transcripts(
    calls: Sequence[tuple[Call, CallValue]],
    columns: Sequence[Mapping[str, Any]],
    by_whom: Reviser,
) -> None:
    """Store the first transcripts of calls that have just been inserted, with turns and events."""
    _store(calls, columns, RevisionWhy.IMPORT, by_whom)


def _store(
    calls: Sequence[tuple[Call, CallValue]],
    columns: Sequence[Mapping[str, Any]],
    why: RevisionWhy,
    by_whom: Reviser,
) -> None:
    """Store the revision that each `call.revision` names."""
    insert_rows(
        TranscriptRevision._meta.db_table,
        [
            {
                "call_id": stored.pk,
                "number": call.revision,
                "why": why,
                "source_sha256": call.source.sha256,
                "by_id": None if by_whom.user is None else by_whom.user.pk,
                "at": by_whom.at,
                **own,
            }
            for (stored, call), own in zip(calls, columns, strict=True)
        ],
    )
    copy_turns(calls)
    copy_events(calls)


def add_revision(
    stored: Call,
    call: CallValue,
    findings: Sequence[Finding],
    why: RevisionWhy,
    by_whom: Reviser,
    facts: Mapping[str, Value] | None = None,
) -> CallValue:
    """Make a call as changed the current transcript of the locked `stored`; return it numbered.

    What the pre-fill projected of the old one goes, where no person has touched it: the proposals
    stay. The caller moves the call on.
    """
    numbered = replace(call, revision=stored.transcript_revision + 1)
    columns = transcript_columns(numbered, findings)
    _store([(stored, numbered)], [columns], why, by_whom)
    stored.transcript_revision = numbered.revision
    stored.title = numbered.title
    stored.call_date = numbered.date
    stored.started_at = numbered.started_at
    stored.language = numbered.language
    for name, value in columns.items():
        setattr(stored, name, value)
    stored.save(
        update_fields=[
            *("transcript_revision", "title", "call_date", "started_at", "language"),
            *columns,
        ]
    )
    drop_rows(stored)
    end_readings(stored, ReadingEnd.TRANSCRIPT, by_whom.actor, by_whom.at)
    record(
        chain_id=stored.id,
        about=About.CALL,
        kind="transcript.revise",
        by=by_whom.actor,
        at=by_whom.at,
        facts={
            "number": numbered.revision,
            "why": why.value,
            "source_sha256": numbered.source.sha256,
            "transcript_digest": stored.transcript_digest,
            "turns": stored.turn_count,
            **(facts or {}),
        },
    )
    return numbered


def drop_rows(stored: Call) -> None:
    """Take away the rows that no person has touched, and what lists show of them."""
    stored.rows.filter(touched_at__isnull=True).delete()
    clear_line(stored)


def swap_speakers(*, call_id: UUID, swap: Swap, expected: int, by: User, at: datetime) -> int:
    """Exchange two speakers over a range of turns; returns the number of the new revision.

    `expected` is the transcript revision that the person saw. Raises NotAllowed, MovedOn when it is
    no longer that or the call left mapping, UnableToMap for a swap that makes no sense.
    """
    with transaction.atomic():
        stored = lock_call(call_id)
        role = check_can_map(by, stored.site)
        if stored.state != State.NEEDS_MAPPING or stored.transcript_revision != expected:
            raise MovedOn(stored.state)
        try:
            swapped = swap_voices(unseal_call(stored), swap)
        except CannotSwap as refusal:
            raise UnableToMap(str(refusal), "swap") from None
        findings = open_findings([read_finding(plain) for plain in stored.findings], swapped)
        by_whom = Reviser(by, person(by, role), at)
        facts = {"first_turn": swap.first, "last_turn": swap.last}
        return add_revision(stored, swapped, findings, RevisionWhy.SWAP, by_whom, facts).revision


def lock_call(call_id: UUID) -> Call:
    """Return the call under its row lock, for an action on it. Raises UnableToMap."""
    stored = (
        Call.objects.select_for_update(of=("self",))
        .select_related("catalog_version", "site")
        .filter(pk=call_id)
        .first()
    )
    if stored is None:
        raise UnableToMap("There is no such call.")
    return stored
