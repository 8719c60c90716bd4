"""The kinds of decisions and what each of them says, as values and as JSON without words of a call.

A redo has no kind of its own: it is the undo of an undo.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Any, NamedTuple

from catalogs.core.document import Scalar
from review.core.rows import Absent, Point, Verdict

Plain = dict[str, Any]


class Kind(Enum):
    """What a person may decide (design 4.5)."""

    CONFIRM = "CONFIRM"
    SET_START = "SET_START"
    SET_FINISH = "SET_FINISH"
    SET_VERDICT = "SET_VERDICT"
    SET_EVIDENCE = "SET_EVIDENCE"
    SET_ITEM = "SET_ITEM"
    SET_FACT = "SET_FACT"
    DOUBT = "DOUBT"
    COMMENT = "COMMENT"
    UNDO = "UNDO"


class Contradiction(Enum):
    """What a person calls a later contradiction of a finish (design 1.3, 4).

    VOID: never valid. REVOKED: valid up to the turn of the contradiction. NONE: it is none.
    """

    VOID = "VOID"
    REVOKED = "REVOKED"
    NONE = "NONE"


class PointValue(NamedTuple):
    """A start or finish: a turn number, NEVER or UNKNOWN."""

    point: Point


class VerdictValue(NamedTuple):
    """A verdict; for a contradicted row also what its contradiction is, and on which turn."""

    verdict: Verdict
    contradiction: Contradiction | None = None
    at: int | None = None


class Span(NamedTuple):
    """Evidence of an item: code points [start, end) of a turn."""

    item: str
    turn: int
    start: int
    end: int


class ItemValue(NamedTuple):
    """Whether an acceptance item is shown (True), is not (False) or cannot be told (None)."""

    item: str
    met: bool | None
    turn: int | None = None


class FactValue(NamedTuple):
    """What the call yielded; None is not known."""

    value: Scalar


class UndoValue(NamedTuple):
    """The number of the decision that is taken back."""

    of: int


#: None for kinds that say nothing more: CONFIRM, DOUBT and COMMENT.
Value = PointValue | VerdictValue | Span | ItemValue | FactValue | UndoValue | None


class Decision(NamedTuple):
    """One stored decision, counted from 1 within its call.

    It is about a phase or, instead, about a fact; `key` names one item of a per-item phase.
    `by` is the person's id; `senior` says that they acted as a senior reviewer.
    """

    number: int
    kind: Kind
    by: str
    senior: bool
    phase: str | None
    fact: str | None
    key: str | None
    value: Value


def value_to_json(value: Value, key: str | None = None) -> Plain:
    """Write what a decision says as plain values."""
    plain = {} if value is None else {name: _plain(one) for name, one in _fields(value).items()}
    return plain if key is None else {**plain, "key": key}


def value_from_json(kind: Kind, plain: Mapping[str, Any]) -> tuple[Value, str | None]:
    """Read a value and its item's key back. Raises KeyError or ValueError for another shape."""
    given = {name: one for name, one in plain.items() if name != "key"}
    reader = _READERS.get(kind)
    return (None if reader is None else reader(given)), plain.get("key")


def _fields(value: PointValue | VerdictValue | Span | ItemValue | FactValue | UndoValue) -> Plain:
    return value._asdict()


def _plain(one: object) -> object:
    if isinstance(one, Enum):
        return one.value
    if isinstance(one, Decimal):
        return {"number": format(one, "f")}
    return {"date": one.isoformat()} if isinstance(one, date) else one


def _read_scalar(plain: Any) -> Scalar:
    if not isinstance(plain, dict):
        read: Scalar = plain
        return read
    return Decimal(plain["number"]) if "number" in plain else date.fromisoformat(plain["date"])


def _read_point(plain: Plain) -> PointValue:
    point = plain["point"]
    return PointValue(Absent(point) if isinstance(point, str) else point)


def _read_verdict(plain: Plain) -> VerdictValue:
    named = plain["contradiction"]
    return VerdictValue(
        Verdict(plain["verdict"]), None if named is None else Contradiction(named), plain["at"]
    )


_READERS: dict[Kind, Callable[[Plain], Value]] = {
    Kind.SET_START: _read_point,
    Kind.SET_FINISH: _read_point,
    Kind.SET_VERDICT: _read_verdict,
    Kind.SET_EVIDENCE: lambda plain: Span(**plain),
    Kind.SET_ITEM: lambda plain: ItemValue(**plain),
    Kind.SET_FACT: lambda plain: FactValue(_read_scalar(plain["value"])),
    Kind.UNDO: lambda plain: UndoValue(plain["of"]),
}


class Attention(NamedTuple):
    """What a page saw of the person before a decision, None where it could not see.

    `evidence_seen` says whether a turn of the row's evidence was in view; `spent_ms` is the time
    since the row was selected. It is kept beside the decision and changes nothing of it.
    """

    evidence_seen: bool | None = None
    spent_ms: int | None = None


UNWATCHED = Attention()
