"""A call's life: its states and every transition, each with who owns it (design 4.1).

1. The table below is the only place that knows which state follows which.
2. The docs' diagram and the database's choices are made from it.
3. A reopened call is a new revision; the old signature stands.
4. A call that is sent back to mapping and confirmed as it was goes straight back to its reviewers:
   its rows stand.
5. Erasing a call withdraws it, unless it is signed or withdrawn already: it stays that.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class CallState(Enum):
    """Where a call stands."""

    RECEIVED = "RECEIVED"
    NEEDS_MAPPING = "NEEDS_MAPPING"
    PREFILLING = "PREFILLING"
    AWAITING_REVIEW = "AWAITING_REVIEW"
    IN_REVIEW = "IN_REVIEW"
    AWAITING_SECOND_READER = "AWAITING_SECOND_READER"
    SIGNED = "SIGNED"
    REOPENED = "REOPENED"
    WITHDRAWN = "WITHDRAWN"


class Owner(Enum):
    """Who makes a transition."""

    INTAKE = "intake"
    PREFILL = "prefill"
    REVIEW = "review"
    SIGNING = "signing"
    RETENTION = "retention"


class Transition(NamedTuple):
    """One way from a state to another."""

    source: CallState
    target: CallState
    owner: Owner


TRANSITIONS: tuple[Transition, ...] = (
    Transition(CallState.RECEIVED, CallState.NEEDS_MAPPING, Owner.INTAKE),
    Transition(CallState.NEEDS_MAPPING, CallState.RECEIVED, Owner.INTAKE),
    Transition(CallState.NEEDS_MAPPING, CallState.AWAITING_REVIEW, Owner.INTAKE),
    Transition(CallState.AWAITING_REVIEW, CallState.RECEIVED, Owner.INTAKE),
    Transition(CallState.AWAITING_REVIEW, CallState.NEEDS_MAPPING, Owner.INTAKE),
    Transition(CallState.IN_REVIEW, CallState.NEEDS_MAPPING, Owner.INTAKE),
    Transition(CallState.AWAITING_SECOND_READER, CallState.NEEDS_MAPPING, Owner.INTAKE),
    Transition(CallState.RECEIVED, CallState.PREFILLING, Owner.PREFILL),
    Transition(CallState.PREFILLING, CallState.AWAITING_REVIEW, Owner.PREFILL),
    Transition(CallState.PREFILLING, CallState.NEEDS_MAPPING, Owner.PREFILL),
    Transition(CallState.NEEDS_MAPPING, CallState.PREFILLING, Owner.PREFILL),
    Transition(CallState.AWAITING_REVIEW, CallState.IN_REVIEW, Owner.REVIEW),
    Transition(CallState.IN_REVIEW, CallState.AWAITING_SECOND_READER, Owner.REVIEW),
    Transition(CallState.AWAITING_SECOND_READER, CallState.IN_REVIEW, Owner.REVIEW),
    Transition(CallState.IN_REVIEW, CallState.SIGNED, Owner.SIGNING),
    Transition(CallState.AWAITING_SECOND_READER, CallState.SIGNED, Owner.SIGNING),
    Transition(CallState.SIGNED, CallState.REOPENED, Owner.SIGNING),
    Transition(CallState.REOPENED, CallState.IN_REVIEW, Owner.REVIEW),
    *(
        Transition(state, CallState.WITHDRAWN, owner)
        for owner in (Owner.REVIEW, Owner.RETENTION)
        for state in (
            CallState.RECEIVED,
            CallState.NEEDS_MAPPING,
            CallState.PREFILLING,
            CallState.AWAITING_REVIEW,
            CallState.IN_REVIEW,
            CallState.AWAITING_SECOND_READER,
        )
    ),
    Transition(CallState.REOPENED, CallState.WITHDRAWN, Owner.RETENTION),
)

SENTENCES: dict[CallState, str] = {
    CallState.RECEIVED: "Received; the pre-fill has not been asked for yet.",
    CallState.NEEDS_MAPPING: "Needs mapping before any row is filled.",
    CallState.PREFILLING: "The pre-fill is queued or running.",
    CallState.AWAITING_REVIEW: "Pre-filled; waits for a reviewer.",
    CallState.IN_REVIEW: "A reviewer is at work.",
    CallState.AWAITING_SECOND_READER: "Waits for a second reader.",
    CallState.SIGNED: "Signed.",
    CallState.REOPENED: "Reopened; the old signature stands.",
    CallState.WITHDRAWN: "Withdrawn.",
}


def may_move(source: CallState, target: CallState, owner: Owner) -> bool:
    """Say whether `owner` may move a call from one state to the other."""
    return Transition(source, target, owner) in TRANSITIONS
