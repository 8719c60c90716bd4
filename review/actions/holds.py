"""Who holds a call: claimed for fifteen minutes, renewed, released, taken over.

1. A hold is columns of the call, so two people never hold one: whoever claims locks the call's row.
2. It ends by the clock; nothing has to run for that.
3. A claim is no entry of the decision log. What is done to somebody else's hold is, and that person
   is told on their next page.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About
from oipsce_site.ledger.record import record
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from review.actions.sealed import seal_note
from review.core.decisions.asking import LONGEST_REASON
from review.core.queue import FOR_REVIEWERS, HOLD, OPEN_STATES, QueueClass
from review.models import Call, HoldNotice, NoteKind, NoticeKind, State
from review.permissions import check_can_assign, check_can_decide

#: A hold with nearly all of its time left is not written anew.
_FRESH = HOLD * 14 / 15

#: A page that is loaded again is left and comes back within this.
LEAVING = timedelta(seconds=30)

_OPEN = frozenset(state.value for state in OPEN_STATES)


class UnableToHold(Exception):
    """The act on a hold makes no sense as asked; `field` names what to correct."""

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


class HeldByAnother(UnableToHold):
    """Somebody else is at the call: who, and until when."""

    def __init__(self, who: str, until: datetime) -> None:
        super().__init__(f"{who} holds this call until {until:%H:%M} UTC.")
        self.who = who
        self.until = until


def claim_call(*, call_id: UUID, by: User, at: datetime) -> int:
    """Claim one call, or renew one's own hold of it; returns the number of the hold.

    Raises NotAllowed, HeldByAnother, or UnableToHold for a call that asks for nobody.
    """
    with transaction.atomic():
        stored = _lock(call_id)
        role = check_can_decide(by, stored.site)
        _check_open(stored)
        keep_hold(stored, by, role, at)
    return stored.hold_number


def keep_hold(stored: Call, holder: User, role: Role, at: datetime) -> None:
    """Claim a locked call for somebody who works at it, or renew their hold.

    Raises HeldByAnother where somebody else's hold is live.
    """
    until = stored.held_until
    is_theirs = stored.held_by_id == holder.pk
    if until is not None and until > at:
        if not is_theirs:
            raise HeldByAnother(_name(stored.held_by), until)
        if until - at < _FRESH:
            _write(stored, holder, at)
        return
    former, ended = stored.held_by, until
    stored.hold_number += 1
    _write(stored, holder, at)
    if former is not None and ended is not None and not is_theirs:
        tell_former(stored, former, ended, holder, role, at)


def tell_former(
    stored: Call, former: User, ended: datetime, holder: User, role: Role, at: datetime
) -> None:
    """Tell somebody whose hold had ended who is at the call now, and record it.

    A call that they had done with is nobody's loss.
    """
    if stored.queue_class not in FOR_REVIEWERS:
        return
    _tell(stored, NoticeKind.ENDED, former, ended, holder, at)
    facts: dict[str, Value] = {"from": str(former.pk), "ended": True, "hold": stored.hold_number}
    _record(stored, "hold.take_over", holder, role, at, facts)


def renew_hold(*, call_id: UUID, number: int, by: User, at: datetime) -> datetime:
    """Renew the hold of this number; returns until when it is held now.

    Raises NotAllowed, or UnableToHold for a hold that is over and somebody else's by now.
    """
    with transaction.atomic():
        stored = _lock(call_id)
        check_can_decide(by, stored.site)
        if stored.held_by_id != by.pk or stored.hold_number != number:
            raise UnableToHold(_say_lost(stored, at))
        _check_open(stored)
        _write(stored, by, at)
    return at + HOLD


def leave_call(*, call_id: UUID, number: int, by: User, at: datetime) -> None:
    """End the hold of this number in a moment: its page was left, or is being loaded again.

    What comes back within LEAVING renews it. Another's hold, or none, is left as it is.
    """
    with transaction.atomic():
        stored = _lock(call_id)
        is_theirs = stored.held_by_id == by.pk and stored.hold_number == number
        if is_theirs and stored.held_until is not None and stored.held_until > at + LEAVING:
            stored.held_until = at + LEAVING
            stored.save(update_fields=["held_until"])


def release_call(*, call_id: UUID, reason: str, by: User, at: datetime) -> None:
    """Give a call back to the queue: one's own hold, or with a reason somebody else's.

    Releasing what nobody holds changes nothing. Raises NotAllowed for another's hold by who is no
    senior reviewer, UnableToHold without a reason.
    """
    with transaction.atomic():
        stored = _lock(call_id)
        check_can_decide(by, stored.site)
        former, until = stored.held_by, stored.held_until
        if former is None or until is None or (former != by and until <= at):
            return
        if former != by:
            role = check_can_assign(by, stored.site)
            facts = _facts_of(stored, NoteKind.RELEASED, reason, by, at)
            _tell(stored, NoticeKind.RELEASED, former, until, by, at)
            _record(stored, "hold.release", by, role, at, {**facts, "from": str(former.pk)})
        drop_hold(stored)


def drop_hold(stored: Call) -> None:
    """End the hold of a locked call."""
    stored.held_by = stored.held_until = stored.hold_key = None
    stored.save(update_fields=["held_by", "held_until", "hold_key"])


def take_over(*, call_id: UUID, reason: str, by: User, at: datetime) -> int:
    """Take a call from somebody who is at it; returns the number of the new hold.

    A hold that has ended is simply claimed. Raises NotAllowed for who is no senior reviewer, and
    UnableToHold without a reason or for a call that asks for nobody.
    """
    with transaction.atomic():
        stored = _lock(call_id)
        role = check_can_assign(by, stored.site)
        _check_open(stored)
        former, until = stored.held_by, stored.held_until
        if former is None or until is None or former == by or until <= at:
            keep_hold(stored, by, role, at)
            return stored.hold_number
        facts = _facts_of(stored, NoteKind.TAKEN_OVER, reason, by, at)
        stored.hold_number += 1
        _write(stored, by, at)
        _tell(stored, NoticeKind.TAKEN_OVER, former, until, by, at)
        more: dict[str, Value] = {
            "from": str(former.pk),
            "ended": False,
            "hold": stored.hold_number,
        }
        _record(stored, "hold.take_over", by, role, at, {**facts, **more})
    return stored.hold_number


def dismiss_notice(*, notice_id: int, by: User, at: datetime) -> None:
    """Put away a notice that `by` has read; one that is not theirs is not there."""
    HoldNotice.objects.filter(pk=notice_id, to=by, seen_at__isnull=True).update(seen_at=at)


def check_words(reason: str) -> str:
    """Return a reason without blanks around it. Raises UnableToHold for none or too long a one."""
    words = reason.strip()
    if not words:
        raise UnableToHold("Write down why; it is kept with the call.", "reason")
    if len(words) > LONGEST_REASON:
        raise UnableToHold(
            f"The reason has {len(words):,} characters; {LONGEST_REASON:,} are kept. Shorten it.",
            "reason",
        )
    return words


def _lock(call_id: UUID) -> Call:
    found = Call.objects.select_for_update(of=("self",)).select_related("site")
    stored = found.filter(pk=call_id).first()
    if stored is None:
        raise UnableToHold("There is no such call.")
    return stored


def _check_open(stored: Call) -> None:
    if stored.state not in _OPEN or stored.queue_class is None:
        raise UnableToHold(f"The call is {State(stored.state).label}; it asks for nobody now.")


def _write(stored: Call, holder: User, at: datetime) -> None:
    stored.held_by, stored.held_until = holder, at + HOLD
    stored.save(update_fields=["held_by", "held_until", "hold_number"])


def _say_lost(stored: Call, at: datetime) -> str:
    until = stored.held_until
    if until is None or until <= at:
        return "Your hold of this call has ended. Nobody holds it now: claim it again to go on."
    return f"Your hold of this call has ended; {_name(stored.held_by)} holds it until " + (
        f"{until:%H:%M} UTC."
    )


def _name(holder: User | None) -> str:
    return "Somebody" if holder is None else holder.printed_name


def _facts_of(
    stored: Call, kind: NoteKind, reason: str, writer: User, at: datetime
) -> dict[str, Value]:
    return {"reason_commitment": seal_note(stored, kind, check_words(reason), writer, at)}


def _tell(
    stored: Call, kind: NoticeKind, former: User, until: datetime, actor: User, at: datetime
) -> None:
    HoldNotice.objects.create(call=stored, kind=kind, to=former, by=actor, held_until=until, at=at)


def _record(
    stored: Call, kind: str, actor: User, role: Role, at: datetime, facts: dict[str, Value]
) -> None:
    record(
        chain_id=stored.id,
        about=About.CALL,
        kind=kind,
        by=person(actor, role),
        at=at,
        facts={**facts, "queue_class": _word(stored.queue_class)},
    )


def _word(kind: int | None) -> str | None:
    return None if kind is None else QueueClass(kind).name
