"""When a call may be signed, by whom; everything that is in the way, each with its sentence.

| code | what is in the way |
| --- | --- |
| STATE | the call is in a state in which nothing is signed |
| ROW_UNDECIDED | a required row, or one of which nobody knows whether it is, has no decision |
| ROW_DOUBTED | somebody doubts a row, and no senior reviewer has settled it |
| SECOND_MISSING | a changed row at a critical edge that no second person has confirmed |
| FACT_UNSETTLED | a fact that requirements rest on was looked at by nobody |
| ROW_OF_OTHERS | a reviewer signs rows that they have decided themselves, and no others |
| NOT_OPENED | the signer never had this review of the call before their eyes |
| SECOND_READING | the call waits for a blind reader, or is being read blind |
| DIFFERENCES | two readings differ, and not every difference is settled |
| ROW_CRITICAL | a batch is asked for, and a row is at a critical edge |
| ROW_FLAGGED | a batch is asked for, and a row is flagged |
| HELD | somebody else is at the call now |

Source: design 4.1, 4.2, 4.5; audit_security 2d (sign row, finalize), 2b step 8.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from catalogs.core.document import Scalar
from review.core.decisions import RowShown, Standing
from review.core.lifecycle import SENTENCES, CallState, Owner, may_move
from review.core.queue import UNREAD, Second


class ObstacleCode(Enum):
    """What may be in the way of a signature."""

    STATE = "STATE"
    ROW_UNDECIDED = "ROW_UNDECIDED"
    ROW_DOUBTED = "ROW_DOUBTED"
    SECOND_MISSING = "SECOND_MISSING"
    FACT_UNSETTLED = "FACT_UNSETTLED"
    ROW_OF_OTHERS = "ROW_OF_OTHERS"
    NOT_OPENED = "NOT_OPENED"
    SECOND_READING = "SECOND_READING"
    DIFFERENCES = "DIFFERENCES"
    ROW_CRITICAL = "ROW_CRITICAL"
    ROW_FLAGGED = "ROW_FLAGGED"
    HELD = "HELD"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One thing in the way, and the row or fact it is about (empty: the call)."""

    code: ObstacleCode
    sentence: str
    phase: str = ""
    fact: str = ""


@dataclass(frozen=True, slots=True)
class RowStand:
    """One row as it is shown: whether the call owes it, who has decided on it, and the codes of its
    flags.
    """

    required: bool | None
    shown: RowShown
    deciders: frozenset[str] = frozenset()
    flags: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Review:
    """One review of a call as it stands. `fact_sources` name the phase that yields each fact, and
    `second` says how it stands with its blind reading.
    """

    state: CallState
    rows: Mapping[str, RowStand]
    facts: Mapping[str, Scalar]
    facts_by: Mapping[str, str]
    fact_sources: Mapping[str, str]
    second: Second = Second.NONE


@dataclass(frozen=True, slots=True)
class OtherHold:
    """Somebody else's live hold of the call: who, and until when."""

    who: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Signatory:
    """Who wants to sign: their id, whether as a senior reviewer, whether they opened the call since
    this review began, and who else is at it.
    """

    id: str
    senior: bool
    has_opened: bool
    other_hold: OtherHold | None = None


def find_obstacles(review: Review, signer: Signatory) -> tuple[Obstacle, ...]:
    """Return everything that is in the way of this person's signature; nothing: they may sign."""
    return (
        *_of_state(review.state),
        *_of_second(review.second),
        *_of_rows(review),
        *_of_facts(review),
        *_of_signer(review, signer),
    )


def find_batch_obstacles(review: Review) -> tuple[Obstacle, ...]:
    """Return the rows for which a call is signed by itself and not together with others."""
    found = []
    for phase, row in review.rows.items():
        if row.shown.critical:
            sentence = f"{phase} is at a critical edge: the call is signed by itself."
            found.append(Obstacle(ObstacleCode.ROW_CRITICAL, sentence, phase))
        elif row.flags:
            sentence = f"{phase} is flagged: the call is signed by itself."
            found.append(Obstacle(ObstacleCode.ROW_FLAGGED, sentence, phase))
    return tuple(found)


def _of_state(state: CallState) -> tuple[Obstacle, ...]:
    if may_move(state, CallState.SIGNED, Owner.SIGNING):
        return ()
    sentence = f"{SENTENCES[state]} A call is signed while it is in review."
    return (Obstacle(ObstacleCode.STATE, sentence),)


def _of_second(second: Second) -> tuple[Obstacle, ...]:
    if second in UNREAD:
        sentence = (
            "The call was drawn for a second reading, blind, and that is not done: it is signed "
            "when both are, and their differences are settled."
        )
        return (Obstacle(ObstacleCode.SECOND_READING, sentence),)
    if second is Second.DIFFERENT:
        sentence = "The two readings of the call differ: settle every difference first."
        return (Obstacle(ObstacleCode.DIFFERENCES, sentence),)
    return ()


def _of_rows(review: Review) -> Sequence[Obstacle]:
    found = []
    for phase, row in review.rows.items():
        shown = row.shown
        if shown.standing is Standing.DOUBTED:
            sentence = f"{phase} is in doubt: a senior reviewer confirms or corrects it."
            found.append(Obstacle(ObstacleCode.ROW_DOUBTED, sentence, phase))
        elif row.required is not False and shown.standing is not Standing.CONFIRMED:
            owed = "is required" if row.required else "may be required"
            sentence = f"{phase} {owed} and nobody has decided it."
            found.append(Obstacle(ObstacleCode.ROW_UNDECIDED, sentence, phase))
        if shown.needs_second:
            sentence = (
                f"{phase} is at a critical edge and stands otherwise than proposed: a senior "
                "reviewer who did not change it confirms it."
            )
            found.append(Obstacle(ObstacleCode.SECOND_MISSING, sentence, phase))
    return found


def _of_facts(review: Review) -> Sequence[Obstacle]:
    """A fact is settled by a person who set it, or with the row that yields it.

    An open fact is in the way only while it is not known of some row whether it is required.
    """
    in_the_open = any(row.required is None for row in review.rows.values())
    found = []
    for name, value in review.facts.items():
        if name in review.facts_by:
            continue
        source = review.fact_sources.get(name, "")
        if value is None and in_the_open:
            sentence = (
                f"The fact {name} is open, and whether rows are required may hang on it: set it, "
                "or say that it cannot be told."
            )
            found.append(Obstacle(ObstacleCode.FACT_UNSETTLED, sentence, fact=name))
        elif value is not None and not _is_confirmed(review, source):
            sentence = f"The fact {name} rests on {source}: confirm that row, or set the fact."
            found.append(Obstacle(ObstacleCode.FACT_UNSETTLED, sentence, fact=name))
    return found


def _is_confirmed(review: Review, phase: str) -> bool:
    row = review.rows.get(phase)
    return row is not None and row.shown.standing is Standing.CONFIRMED


def _of_signer(review: Review, signer: Signatory) -> Sequence[Obstacle]:
    return (*_of_hold(signer.other_hold), *_of_reading(review, signer))


def _of_hold(hold: OtherHold | None) -> tuple[Obstacle, ...]:
    if hold is None:
        return ()
    sentence = (
        f"{hold.who} is at this call until {hold.until:%H:%M} UTC: sign once they have left it."
    )
    return (Obstacle(ObstacleCode.HELD, sentence),)


def _of_reading(review: Review, signer: Signatory) -> Sequence[Obstacle]:
    if not signer.has_opened:
        sentence = "You have not opened this call since its review began: read it first."
        return (Obstacle(ObstacleCode.NOT_OPENED, sentence),)
    if signer.senior:
        return ()
    return [
        Obstacle(
            ObstacleCode.ROW_OF_OTHERS,
            f"Others have decided {phase}, not you: confirm it yourself, or have a senior reviewer "
            "sign.",
            phase,
        )
        for phase, row in review.rows.items()
        if row.required is not False and row.deciders and signer.id not in row.deciders
    ]
