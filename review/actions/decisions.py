"""A person decides on a row or a fact of a call: one act, applied once (design 4.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db import transaction

from catalogs.core.canonical import digest
from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About
from oipsce_site.ledger.record import record
from oipsce_site.people.matrix import Act, role_may
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from review.actions.call_line import is_blind, place_again
from review.actions.drawing import follow_decision
from review.actions.holds import HeldByAnother, keep_hold
from review.actions.opening import Opened, open_decided
from review.actions.refolding import judge_folded, store_folded
from review.actions.revising import Reviser
from review.actions.sealed import seal_words, unseal_call
from review.actions.voiding import end_signature
from review.core.decisions import (
    Ask,
    Kind,
    Refused,
    Shown,
    Span,
    UndoValue,
    check_ask,
    check_undo,
    fold,
    value_to_json,
)
from review.core.decisions import Call as CallAsked
from review.core.decisions import Decision as DecisionValue
from review.core.lifecycle import CallState, Owner, may_move
from review.core.queue import UNREAD, Second
from review.core.signoff.record import Voided
from review.core.transcript import Call as CallValue
from review.models import Call, Decision, PhaseRow, State
from review.permissions import check_can_decide
from review.queries.candidates import candidates_of
from review.queries.folded import Folded, Made, load_folded, read_made, row_marks
from review.queries.readings import has_decided


class UnableToDecide(Exception):
    """The decision is refused; `field` names what to correct (empty: the whole), `status` is what
    a page answers with.
    """

    status = 422

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


class HeldElsewhere(UnableToDecide):
    """Somebody else is at the call; the sentence says who and until when. Nothing was stored."""

    status = 409


class Conflict(Exception):
    """Somebody else decided the row meanwhile; `since` are the decisions that the person has not
    seen, `folded` the rows as they are now. Nothing was stored.
    """

    def __init__(self, folded: Folded, since: tuple[Made, ...], revision: int) -> None:
        names = " and ".join(dict.fromkeys(one.who for one in since)) or "A new pre-fill"
        super().__init__(f"Meanwhile {names} changed it, so your decision was not stored.")
        self.folded = folded
        self.since = since
        self.revision = revision


@dataclass(frozen=True, slots=True)
class Taken:
    """A decision that was applied, now or (`again`) when its form came the first time.

    `stored` is the call after a decision that was applied now, `made` are all decisions on it, and
    `changes` says whether a value may be another than before.
    """

    number: int
    phase: str | None
    fact: str | None
    revision: int
    again: bool
    changes: bool = field(default=True, compare=False)
    stored: Call | None = field(default=None, compare=False, repr=False)
    made: tuple[Made, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class _Deciding:
    """One act under way, the call being locked."""

    stored: Call
    folded: Folded
    asked: Ask
    by: User
    role: Role
    at: datetime


def decide(
    *, call_id: UUID, decision: Ask, expected_revision: int, key: UUID, by: User, at: datetime
) -> Taken:
    """Take one decision on a row or fact that the person saw in `expected_revision`.

    The same `key` twice is applied once. Raises NotAllowed, UnableToDecide with the field to
    correct, HeldElsewhere where somebody else is at the call, or Conflict where somebody else
    changed the row meanwhile (one's own newer decisions are no conflict). Deciding renews one's own
    hold of the call, and claims a call that nobody holds; a comment does neither.
    """
    with transaction.atomic():
        stored = _lock(call_id)
        role = check_can_decide(by, stored.site)
        again = _taken_before(stored, decision, key, by)
        if again is not None:
            return again
        _check_state(stored)
        _check_not_blind(stored, by)
        if decision.kind is not Kind.COMMENT:
            _hold(stored, by, role, at)
        folded = load_folded(stored)
        if folded is None:
            raise UnableToDecide("The call has no rows yet. Load its page again.")
        act = _Deciding(stored, folded, _named(decision, folded), by, role, at)
        revision = _check_revision(act, expected_revision)
        return _take(act, key, revision)


def open_taken(taken: Taken, *, reader: User, now: datetime) -> Opened | None:
    """Return the call as it is after a decision: the decision's own entry in the log says who has
    its words. None for a form that came again, which leaves no entry.
    """
    if taken.stored is None:
        return None
    return open_decided(taken.stored, taken.made, reader=reader, now=now)


def _take(act: _Deciding, key: UUID, revision: int) -> Taken:
    asked, folded = act.asked, act.folded
    value = DecisionValue(
        number=len(folded.made) + 1,
        kind=asked.kind,
        by=str(act.by.pk),
        senior=role_may(Act.SETTLE_DOUBTS, act.role),
        phase=asked.phase,
        fact=asked.fact,
        key=asked.key,
        value=asked.value,
    )
    call = None if asked.kind in _CHANGE_NOTHING else unseal_call(act.stored)
    shown = _check(act, value, call)
    proposal = _candidate(act)
    stored, commitment = _store(act, value, key, revision)
    after = folded.with_decision(read_made(stored), shown)
    _move(act.stored)
    facts = _project(act, stored, after, call)
    actor = person(act.by, act.role)
    if asked.kind is not Kind.COMMENT and act.stored.revision > 1:
        # A call that was reopened: its signature stands until something is changed.
        end_signature(act.stored, Voided.CHANGED, Reviser(act.by, actor, act.at))
    _record(act, stored, {**facts, **proposal, "reason_commitment": commitment})
    if asked.kind is not Kind.COMMENT:
        follow_decision(act.stored, after, actor, act.at)
    now = after.revision(asked.phase, asked.fact)
    return Taken(
        value.number,
        asked.phase,
        asked.fact,
        now,
        again=False,
        changes=call is not None,
        stored=act.stored,
        made=after.made,
    )


#: These leave values, and with them the evaluation, as they are.
_CHANGE_NOTHING = (Kind.CONFIRM, Kind.DOUBT, Kind.COMMENT)


def _lock(call_id: UUID) -> Call:
    stored = (
        Call.objects.select_for_update(of=("self",))
        .select_related("catalog_version", "site")
        .filter(pk=call_id)
        .first()
    )
    if stored is None:
        raise UnableToDecide("There is no such call.")
    return stored


def _taken_before(stored: Call, asked: Ask, key: UUID, by: User) -> Taken | None:
    """Return what became of the same form when it came before. Raises UnableToDecide for another
    decision under its key.
    """
    known = stored.decisions.filter(key=key).first()
    if known is None:
        return None
    value = value_to_json(asked.value, asked.key)
    if (known.kind, known.value, known.by_id) != (asked.kind.value, value, by.pk):
        raise UnableToDecide("This form was sent before with something else. Load the page again.")
    phase, fact = known.phase or None, known.fact or None
    folded = load_folded(stored)
    revision = known.revision + 1 if folded is None else folded.revision(phase, fact)
    return Taken(known.number, phase, fact, revision, again=True)


def _check_state(stored: Call) -> None:
    state = CallState(stored.state)
    if state is CallState.IN_REVIEW or may_move(state, CallState.IN_REVIEW, Owner.REVIEW):
        return
    if state is CallState.SIGNED:
        raise UnableToDecide(
            "The call is signed; its rows are not decided now. Ask on its signing page to have it "
            "reopened."
        )
    raise UnableToDecide(f"The call is {State(stored.state).label}; its rows are not decided now.")


def _check_not_blind(stored: Call, by: User) -> None:
    """Refuse who may be the blind reader, or is: they have their own page until they are done."""
    if is_blind(stored) and not has_decided(stored.pk, by):
        raise UnableToDecide(
            "This call is read blind first, and until that is done only who has decided on it "
            "before goes on deciding."
        )


def _hold(stored: Call, by: User, role: Role, at: datetime) -> None:
    try:
        keep_hold(stored, by, role, at)
    except HeldByAnother as held:
        raise HeldElsewhere(
            f"{held} Your decision was not stored; what you typed is kept below. Wait, or ask a "
            "senior reviewer to take the call over."
        ) from None


def _named(asked: Ask, folded: Folded) -> Ask:
    """Return an undo with the row or fact of what it takes back; any other ask as it is."""
    if not isinstance(asked.value, UndoValue):
        return asked
    for one in folded.decisions:
        if one.number == asked.value.of:
            return asked._replace(phase=one.phase, fact=one.fact, key=None)
    raise UnableToDecide("There is no such decision to take back. Load the page again.")


def _check_revision(act: _Deciding, expected: int) -> int:
    """Return the revision that the decision is made on. Raises Conflict for a stale one.

    A comment changes no value and is never stale.
    """
    asked = act.asked
    now = act.folded.revision(asked.phase, asked.fact)
    since = tuple(one for one in act.folded.on(asked.phase, asked.fact) if one.revision >= expected)
    own = all(one.decision.by == str(act.by.pk) for one in since)
    if asked.kind is Kind.COMMENT or (own and now - expected == len(since)):
        return now
    raise Conflict(act.folded, since, now)


def _check(act: _Deciding, value: DecisionValue, call: CallValue | None) -> Shown:
    folded = act.folded
    try:
        if value.kind is Kind.UNDO:
            shown = fold(folded.base, (*folded.decisions, value), folded.grounds)
            check_undo(act.asked, folded.decisions, value.by, shown)
            return shown
        lengths = {} if call is None else {turn.number: len(turn.text) for turn in call.turns}
        asked_of = CallAsked(folded.document, folded.grounds, lengths)
        return check_ask(act.asked, value, folded.shown, asked_of)
    except Refused as refusal:
        raise UnableToDecide(str(refusal), refusal.field) from None


def _store(
    act: _Deciding, value: DecisionValue, key: UUID, revision: int
) -> tuple[Decision, str | None]:
    """Store the decision; returns it with the commitment to its words."""
    words = act.asked.reason.strip()
    sealed: tuple[bytes, bytes, str] | tuple[None, None, None] = (None, None, None)
    if words:
        sealed = seal_words(act.stored, value.number, words)
    decision = Decision.objects.create(
        call=act.stored,
        number=value.number,
        run=act.folded.run,
        kind=value.kind.value,
        phase=value.phase or "",
        fact=value.fact or "",
        value=value_to_json(value.value, value.key),
        revision=revision,
        key=key,
        sealed=sealed[0],
        sealed_nonce=sealed[1],
        by=act.by,
        role=act.role,
        at=act.at,
        evidence_seen=act.asked.attention.evidence_seen,
        spent_ms=act.asked.attention.spent_ms,
        candidate=act.asked.candidate,
    )
    return decision, sealed[2]


def _candidate(act: _Deciding) -> dict[str, Value]:
    """Return how the log names the candidate that is taken. Raises UnableToDecide for what the
    search did not find.
    """
    place, value = act.asked.candidate, act.asked.value
    if place is None or not isinstance(value, Span):
        return {}
    found, turns = candidates_of(
        act.stored.pk, act.folded.run.transcript_digest, act.folded.run.catalog_digest
    )
    there = turns.get((act.asked.phase or "", value.item), ())
    if found is None or value.turn not in there[place - 1 : place]:
        raise UnableToDecide("This is no candidate of the call as it is now. Load the page again.")
    return {
        "candidate": place,
        "candidate_of": str(found.pk),
        "candidate_model_sha256": found.model_digest,
    }


def _move(stored: Call) -> None:
    is_unread = Second(stored.second_reading) in UNREAD
    state = State.AWAITING_SECOND_READER if is_unread else State.IN_REVIEW
    if stored.state != state:
        stored.state = state
        stored.save(update_fields=["state"])


def _project(
    act: _Deciding, decision: Decision, after: Folded, call: CallValue | None
) -> dict[str, Value]:
    """Project what the decision leaves, with a new evaluation where it changed a value."""
    phase = act.asked.phase
    if call is None:
        if phase is not None and act.asked.kind is not Kind.COMMENT:
            marks = row_marks(after, phase)
            PhaseRow.objects.filter(call=act.stored, phase=phase).update(**marks)
            place_again(act.stored)
        return {}
    judged = judge_folded(call, after)
    evaluation = store_folded(act.stored, after, judged, decision, act.at)
    report = judged.report
    return {
        "evaluation_id": str(evaluation.id),
        "evaluation_digest": evaluation.digest,
        "rows_digest": evaluation.rows_digest,
        "coverage": report.coverage,
        "order_safe": report.order_safe,
        "call_success": report.call_success,
    }


def _record(act: _Deciding, decision: Decision, facts: Mapping[str, Value]) -> None:
    record(
        chain_id=act.stored.id,
        about=About.CALL,
        kind="row.decide",
        by=person(act.by, act.role),
        at=act.at,
        facts={
            "number": decision.number,
            "decision": decision.kind,
            "phase": decision.phase,
            "fact": decision.fact,
            "value_digest": digest(decision.value),
            "run_id": str(decision.run_id),
            "on_revision": decision.revision,
            **facts,
        },
    )
