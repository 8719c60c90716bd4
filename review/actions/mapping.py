"""Mapping: a person says how a call is to be read, sends it back to be mapped, or withdraws it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from catalogs.core.canonical import digest
from catalogs.queries import VersionChoice, published_versions
from oipsce_site.ledger.actors import person, worker
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import record
from oipsce_site.people.models import User
from review.actions.drawing import end_readings
from review.actions.prefill import queue_prefill
from review.actions.refusals import MovedOn, UnableToMap
from review.actions.requeue import requeue, run_of
from review.actions.revising import Reviser, add_revision, drop_rows, lock_call
from review.actions.role_maps import remember_roles
from review.actions.sealed import seal_note, unseal_call
from review.actions.voiding import end_signature
from review.core.lifecycle import CallState, Owner, may_move
from review.core.signoff.record import Voided
from review.core.transcript import (
    NOT_READ,
    Settings,
    apply_role_map,
    doubts_of,
    open_findings,
    settle,
    voices_of,
)
from review.core.transcript import Call as CallValue
from review.core.transcript.storing import transcript_digest
from review.models import (
    Call,
    NoteKind,
    PrefillRun,
    ReadingEnd,
    RevisionWhy,
    RunState,
    State,
)
from review.permissions import check_can_map
from review.queries.draws import draw_of
from review.queries.findings import read_finding

LONGEST_REASON = 2000


@dataclass(frozen=True, slots=True)
class Reading:
    """How a person says a call is to be read.

    - `roles` has a role, or NOT_READ, for every speaker who speaks.
    - `accepted` names the doubts about order that the person has looked at.
    - `version_id` chooses where several catalog versions apply.
    - `expected` is the transcript revision that the person saw.
    """

    settings: Settings
    roles: Mapping[str, str]
    accepted: frozenset[str]
    version_id: UUID | None
    remember: bool
    expected: int


def confirm_mapping(
    *, call_id: UUID, reading: Reading, run_id: UUID, by: User | None, at: datetime
) -> None:
    """Settle how a call is read and ask for its pre-fill under `run_id`; the caller rings the bell.

    What changes the transcript makes its next revision. A call that was sent back and is confirmed
    as it stands returns to its reviewers with its rows. `by` None is the operator of this machine.
    Raises NotAllowed, MovedOn when the call is not as the person saw it, UnableToMap with the field
    to correct.
    """
    with transaction.atomic():
        stored = lock_call(call_id)
        actor = worker("import_calls") if by is None else _mapper(by, stored)
        by_whom = Reviser(by, actor, at)
        if stored.state != State.NEEDS_MAPPING or stored.transcript_revision != reading.expected:
            raise MovedOn(stored.state)
        before = unseal_call(stored)
        settled = settle(before, reading.settings)
        choice = _choose(stored, settled, reading)
        _check_reading(settled, choice, reading)
        stored.catalog_version = choice.version
        stored.language = settled.language
        _revise(stored, apply_role_map(settled, reading.roles), by_whom)
        if reading.remember:
            remember_roles(stored, before, reading.roles, by, at)
        _move_on(stored, reading, actor, at)
        run = run_of(stored)
        if stored.state == State.RECEIVED and run is None:
            queue_prefill(call_id=call_id, run_id=run_id, by=by, at=at)
        elif run is not None and run.state == RunState.FAILED:
            requeue(stored, run, actor, at)


def send_to_mapping(*, call_id: UUID, reason: str, by: User, at: datetime) -> None:
    """Send a call whose speakers or settings are wrong back to be mapped; its rows are kept.

    Raises NotAllowed, or UnableToMap without a reason and for a call that is elsewhere.
    """
    with transaction.atomic():
        stored = lock_call(call_id)
        actor = _mapper(by, stored)
        _check_move(stored, State.NEEDS_MAPPING, Owner.INTAKE, "is not sent back to mapping")
        commitment = seal_note(stored, NoteKind.SENT_BACK, check_reason(reason), by, at)
        if stored.revision > 1:
            end_signature(stored, Voided.CHANGED, Reviser(by, actor, at))
        facts: dict[str, Value] = {"from": stored.state, "reason_commitment": commitment}
        stored.state = State.NEEDS_MAPPING
        stored.needs_mapping = (
            f"{by.printed_name} sent the call back: something about how it is read is wrong. Their "
            "reason stands on the mapping page."
        )
        stored.save(update_fields=["state", "needs_mapping"])
        _record(stored, "mapping.reopen", actor, at, facts)


def withdraw_call(*, call_id: UUID, reason: str, by: User, at: datetime) -> None:
    """Withdraw a call that cannot be mapped: it is not read and waits for nobody.

    Raises NotAllowed, MovedOn for a call that left mapping, UnableToMap without a reason.
    """
    with transaction.atomic():
        stored = lock_call(call_id)
        actor = _mapper(by, stored)
        if stored.state != State.NEEDS_MAPPING:
            raise MovedOn(stored.state)
        _check_move(stored, State.WITHDRAWN, Owner.REVIEW, "is not withdrawn here")
        commitment = seal_note(stored, NoteKind.WITHDRAWN, check_reason(reason), by, at)
        stored.state = State.WITHDRAWN
        stored.needs_mapping = ""
        stored.save(update_fields=["state", "needs_mapping"])
        end_readings(stored, ReadingEnd.WITHDRAWN, actor, at)
        _record(stored, "call.withdraw", actor, at, {"reason_commitment": commitment})


def check_reason(reason: str) -> str:
    """Return a reason without blanks around it. Raises UnableToMap for none or too long a one."""
    words = reason.strip()
    if not words:
        raise UnableToMap("Write down why; the next person reads it here.", "reason")
    if len(words) > LONGEST_REASON:
        raise UnableToMap(
            f"The reason has {len(words):,} characters; {LONGEST_REASON:,} are kept. Shorten it.",
            "reason",
        )
    return words


def _mapper(by: User, stored: Call) -> Actor:
    return person(by, check_can_map(by, stored.site))


def _choose(stored: Call, settled: CallValue, reading: Reading) -> VersionChoice:
    choice = published_versions().choose(
        settled.attributes,
        settled.date,
        reading.version_id,
        site=stored.site.slug,
        draw=draw_of(stored.pk),
    )
    if choice.document is None:
        raise UnableToMap(choice.sentence or "", _field_of(settled, reading))
    if stored.catalog_version not in (None, choice.version) and _is_touched(stored):
        raise UnableToMap(
            f"People have decided rows of this call by {stored.catalog_version}; another catalog "
            "would not know them. Keep the catalog, or withdraw the call and import it anew.",
            "catalog",
        )
    return choice


def _field_of(settled: CallValue, reading: Reading) -> str:
    """Return the field that a missing catalog is about: the date is asked for last."""
    if settled.date is None and reading.settings.attributes.get("type") is not None:
        return "date"
    return "catalog"


def _is_touched(stored: Call) -> bool:
    return stored.rows.filter(touched_at__isnull=False).exists()


def _check_reading(call: CallValue, choice: VersionChoice, reading: Reading) -> None:
    """Check that every voice has a role of the catalog and every doubt was looked at."""
    declared = choice.document.speakers if choice.document is not None else {}
    for voice in voices_of(call):
        role = reading.roles.get(voice.key)
        if role != NOT_READ and role not in declared:
            raise UnableToMap(
                "Choose a role that the catalog knows, or leave the speaker unread.",
                f"role:{voice.key}",
            )
    for doubt in doubts_of(call):
        if doubt.code not in reading.accepted:
            raise UnableToMap(
                "Look at these turns and accept their order, swap the speakers, or withdraw the "
                "call.",
                f"accept:{doubt.code}",
            )


def _revise(stored: Call, mapped: CallValue, by_whom: Reviser) -> None:
    """Make the next revision where the transcript changed, or where its rows are of another."""
    stored.save(update_fields=["catalog_version", "language"])
    # Loaded with the call and no longer the one chosen.
    stored.refresh_from_db(fields=["catalog_version"])
    if transcript_digest(mapped) == stored.transcript_digest and not _was_read_before(stored):
        return
    known = [read_finding(plain) for plain in stored.findings]
    add_revision(stored, mapped, open_findings(known, mapped), RevisionWhy.MAPPING, by_whom)


def _was_read_before(stored: Call) -> bool:
    """Say whether this catalog read this transcript, and another has read it since."""
    run = run_of(stored)
    if run is None:
        return False
    latest = PrefillRun.objects.filter(call=stored).order_by("-queued_at", "-id").first()
    return latest is not None and latest.pk != run.pk


def _move_on(stored: Call, reading: Reading, actor: Actor, at: datetime) -> None:
    """Move the call to its pre-fill, or back to its reviewers where its rows stand."""
    run = run_of(stored)
    stands = run is not None and run.state == RunState.DONE
    state = State.AWAITING_REVIEW if stands else State.RECEIVED
    failed = run is not None and run.state == RunState.FAILED
    if not failed:
        _check_move(stored, state, Owner.INTAKE, "cannot be mapped")
        stored.state = state
        stored.needs_mapping = ""
        stored.save(update_fields=["state", "needs_mapping"])
    if state == State.RECEIVED:
        # Another catalog may have projected them.
        drop_rows(stored)
        end_readings(stored, ReadingEnd.TRANSCRIPT, actor, at)
    version = stored.catalog_version
    _record(
        stored,
        "mapping.confirm",
        actor,
        at,
        {
            "transcript_revision": stored.transcript_revision,
            "transcript_digest": stored.transcript_digest,
            "catalog_digest": None if version is None else version.digest,
            "roles_digest": digest(dict(reading.roles)),
            "accepted": sorted(reading.accepted),
            "remembered": reading.remember,
        },
    )


def _check_move(stored: Call, state: State, owner: Owner, refused: str) -> None:
    if not may_move(CallState(stored.state), CallState(state.value), owner):
        raise UnableToMap(f"The call is {State(stored.state).label} and {refused}.")


def _record(stored: Call, kind: str, by: Actor, at: datetime, facts: Mapping[str, Value]) -> None:
    record(chain_id=stored.id, about=About.CALL, kind=kind, by=by, at=at, facts=facts)
