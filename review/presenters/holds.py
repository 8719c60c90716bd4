"""Who is at a call, as its page and the page of its hold say it, and what may be done about it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from oipsce_site.people.models import User
from review.core.lifecycle import CallState
from review.core.queue import OPEN_STATES
from review.permissions import Rights
from review.queries import StoredCall
from review.queries.holds import Notice


@dataclass(frozen=True, slots=True)
class HoldLine:
    """The hold in a sentence. `number` and `until` go with the form that renews it.

    `may_take` is there where a click claims the call, `may_take_over` where it asks for a reason.
    """

    words: str
    tone: str
    number: int
    until: str
    is_mine: bool
    is_others: bool
    may_take: bool
    may_take_over: bool
    may_assign: bool
    may_skip: bool
    assigned: str


def show_hold(stored: StoredCall, person: User, rights: Rights, at: datetime) -> HoldLine | None:
    """Draw the hold of a call; None for one that asks for nobody."""
    if CallState(stored.line.state) not in OPEN_STATES:
        return None
    hold = stored.hold
    mine, live = hold.is_of(person, at), hold.is_live(at)
    until = "" if hold.until is None else f"{hold.until:%H:%M} UTC"
    words = "Nobody holds this call."
    if live:
        words = f"{'You hold' if mine else f'{hold.who} holds'} this call until {until}."
    elif hold.holder == person.pk:
        words = f"Your hold ended at {until}. Nobody else has claimed the call since."
    return HoldLine(
        words=words,
        tone="unknown" if live and not mine else "",
        number=hold.number,
        until="" if hold.until is None else hold.until.isoformat(),
        is_mine=mine,
        is_others=live and not mine,
        may_take=rights.decide and not live,
        may_take_over=rights.assign and live and not mine,
        may_assign=rights.assign,
        may_skip=rights.decide,
        assigned="you" if hold.assigned_to == person.pk else hold.assigned_who,
    )


def say_notice(notice: Notice) -> str:
    """Write what happened to somebody's hold."""
    until, at = f"{notice.until:%H:%M}", f"{notice.at:%H:%M} UTC"
    match notice.kind:
        case "ENDED":
            return (
                f"Your hold of {notice.title} ended at {until}; {notice.who} claimed the call at "
                f"{at}. What you had decided is kept."
            )
        case "TAKEN_OVER":
            return f"{notice.who} took {notice.title} over at {at}. What you had decided is kept."
        case _:
            return f"{notice.who} gave {notice.title} back to the queue at {at}."
