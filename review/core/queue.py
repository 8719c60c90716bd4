"""The reviewer's queue: which calls ask for a person, in which order, why, and for how long at most
(design 4.3).

1. A call's class comes from its rows as they stand: what is decided asks for nobody any more.
2. Of the calls on which nothing was flagged, one in twenty is read blind. Which ones is decided by
   a keyed hash of the call's id: drawn again it is the same draw, and nobody without the key can
   tell beforehand, not even who writes anchors.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from enum import Enum, IntEnum
from typing import NamedTuple
from uuid import UUID

from review.core.cascade.triage import FlagCode
from review.core.decisions import Standing
from review.core.evaluation import Report
from review.core.lifecycle import CallState

#: How long a call is held without a sign of life.
HOLD = timedelta(minutes=15)

#: Of a hundred calls without any flag so many are read blind.
SAMPLE_PERCENT = 5

#: In these states a call asks for somebody.
OPEN_STATES = (
    CallState.AWAITING_REVIEW,
    CallState.IN_REVIEW,
    CallState.AWAITING_SECOND_READER,
    CallState.REOPENED,
)


class Second(Enum):
    """How a call stands with its blind reading: none is asked for, it waits for a reader, somebody
    reads, it is done and rows differ, it is done and nothing is open.
    """

    NONE = ""
    WAITING = "WAITING"
    OPEN = "OPEN"
    DIFFERENT = "DIFFERENT"
    DONE = "DONE"


#: Until both are done, nothing of a call is said where its blind reader could see it.
UNREAD = (Second.WAITING, Second.OPEN)


class QueueClass(IntEnum):
    """Why a call is in the queue; the lower comes first."""

    ORDER = 1
    CRITICAL = 2
    AMBIGUOUS = 3
    SAMPLE = 4
    DOUBT = 5
    SECOND = 6
    READY = 7
    BLIND = 8
    DIFFERENT = 9


#: Nothing is said of these but that they are read blind.
BLIND_CLASSES = (QueueClass.SAMPLE, QueueClass.BLIND)

#: What any reviewer takes, and what waits for a senior reviewer.
FOR_REVIEWERS = (
    QueueClass.ORDER,
    QueueClass.CRITICAL,
    QueueClass.AMBIGUOUS,
    QueueClass.SAMPLE,
)
FOR_SENIORS = (QueueClass.DOUBT, QueueClass.SECOND)

#: How long after its import a call of a class is to be done.
AGE_LIMITS: dict[QueueClass, timedelta] = {
    QueueClass.ORDER: timedelta(days=1),
    QueueClass.CRITICAL: timedelta(days=2),
    QueueClass.AMBIGUOUS: timedelta(days=5),
    QueueClass.SAMPLE: timedelta(days=7),
    QueueClass.DOUBT: timedelta(days=2),
    QueueClass.SECOND: timedelta(days=2),
    QueueClass.READY: timedelta(days=7),
    QueueClass.BLIND: timedelta(days=7),
    QueueClass.DIFFERENT: timedelta(days=7),
}


class RowAsked(NamedTuple):
    """A row as the queue looks at it: its flags, the gravest first, and how it stands."""

    phase: str
    flags: Collection[str]
    standing: Standing = Standing.PROPOSED
    needs_second: bool = False


class Edge(NamedTuple):
    """A critical edge that is violated (ok False) or open; the points as a report writes them."""

    parent: str
    child: str
    ok: bool | None
    finish: int | str | None
    start: int | str | None
    same_turn: bool


class Placed(NamedTuple):
    """A call's class, and the row and flag that put it there ("" where it is no single one)."""

    kind: QueueClass
    phase: str = ""
    code: str = ""


_ORDER = (FlagCode.ORDER_VIOLATION.value, FlagCode.ORDER_UNCERTAIN.value)


def place_call(rows: Iterable[RowAsked], *, sampled: bool, second: Second = Second.NONE) -> Placed:
    """Return where a call stands in the queue; `sampled` says that the draw took it.

    The draw counts only where no row has a flag, and until the call was read blind. While a second
    reader is awaited the class says that and nothing else. Source: design 4.3.
    """
    known = list(rows)
    undecided = [row for row in known if row.standing is Standing.PROPOSED]
    unread = sampled and second in (Second.NONE, Second.OPEN)
    if unread and undecided and not any(row.flags for row in known):
        return Placed(QueueClass.SAMPLE)
    if second in UNREAD:
        return Placed(QueueClass.BLIND)
    found = _flagged(undecided)
    if found is not None:
        return found
    for row in known:
        if row.standing is Standing.DOUBTED:
            return Placed(QueueClass.DOUBT, row.phase)
    for row in known:
        if row.needs_second:
            return Placed(QueueClass.SECOND, row.phase)
    return Placed(QueueClass.DIFFERENT if second is Second.DIFFERENT else QueueClass.READY)


def _flagged(rows: Iterable[RowAsked]) -> Placed | None:
    placed = []
    for row in rows:
        for code in row.flags:
            if code in _ORDER:
                placed.append((_ORDER.index(code), Placed(QueueClass.ORDER, row.phase, code)))
            elif code == FlagCode.SAFETY_CRITICAL.value:
                placed.append((2, Placed(QueueClass.CRITICAL, row.phase, code)))
            else:
                placed.append((3, Placed(QueueClass.AMBIGUOUS, row.phase, code)))
    return min(placed, key=lambda one: one[0])[1] if placed else None


def troubled_edge(report: Report) -> Edge | None:
    """Return the critical edge that is violated, else the first that is open; None for neither."""
    critical = [edge for edge in report.edges if edge.critical and edge.ok is not True]
    for edge in sorted(critical, key=lambda one: one.ok is None):
        return Edge(
            edge.parent,
            edge.child,
            edge.ok,
            edge.parent_finish,
            edge.child_start,
            edge.policy == "<=",
        )
    return None


def is_sampled(call_id: UUID, key: bytes, percent: int = SAMPLE_PERCENT) -> bool:
    """Say whether the draw takes a call: the first 8 bytes of HMAC-SHA256 over its id, as a share
    of all they can be.
    """
    drawn = hmac.new(key, b"oip-sce/sample/v1\0" + call_id.bytes, hashlib.sha256).digest()
    return int.from_bytes(drawn[:8], "big") * 100 < percent << 64


def is_late(kind: QueueClass, received_at: datetime, at: datetime) -> bool:
    """Say whether a call of this class waits for longer than its limit."""
    return at - received_at > AGE_LIMITS[kind]


def say_why(placed: Placed, edge: Edge | None) -> str:
    """Say in a sentence why a call is in the queue: phases, codes and turns, no words of it."""
    match placed.kind:
        case QueueClass.ORDER:
            return _say_order(placed, edge)
        case QueueClass.CRITICAL:
            return f"Safety-critical: {placed.phase} waits for a person"
        case QueueClass.AMBIGUOUS:
            return f"{_SAID.get(placed.code, 'Flagged')}: {placed.phase}"
        case QueueClass.SAMPLE:
            return "Random sample, read blind: nothing was flagged"
        case QueueClass.DOUBT:
            return f"In doubt: {placed.phase} waits for a senior reviewer"
        case QueueClass.SECOND:
            return f"Turned round: {placed.phase} needs a second person"
        case QueueClass.READY:
            return "No row asks for anybody any more: ready to sign"
        case QueueClass.BLIND:
            return "Second reading, blind: waits for somebody who has not read it"
        case QueueClass.DIFFERENT:
            return "Read twice: the readings differ, and the differences are to be settled"


_SAID = {
    FlagCode.CONTRADICTED.value: "Contradicted",
    FlagCode.SAME_TURN.value: "Finish and start on one turn",
    FlagCode.AMBIGUOUS_START.value: "Start ambiguous",
    FlagCode.NO_FINISH.value: "No finish found",
    FlagCode.PARTIAL.value: "Some items open",
    FlagCode.UNACKNOWLEDGED.value: "Not acknowledged",
    FlagCode.UNKNOWN_FACT.value: "A fact is open",
    FlagCode.UNKNOWN_ROLE.value: "A speaker without a role",
}


def _say_order(placed: Placed, edge: Edge | None) -> str:
    violated = placed.code == FlagCode.ORDER_VIOLATION.value
    word = "Order violated" if violated else "Order uncertain"
    if edge is None or placed.phase not in (edge.parent, edge.child):
        return f"{word}: {placed.phase}"
    named = f"{word}: {edge.parent} \u2192 {edge.child}"
    if edge.ok is False and isinstance(edge.finish, int) and isinstance(edge.start, int):
        sign = "<=" if edge.same_turn else "<"
        return f"{named}, {edge.finish} {sign} {edge.start} is false"
    if edge.ok is False and isinstance(edge.start, int):
        return f"{named}, {edge.child} began at {edge.start} and {edge.parent} never finished"
    return named
