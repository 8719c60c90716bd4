"""One row per obligatory phase: start, finish, verdict and what they rest on. Frozen values, no
logic that decides.

`s` and `e` are turn numbers of the source, or say why there is none: NEVER (asserted for an ended
call by a finished scan or a person) or UNKNOWN. Neither is ever written as 0 or None.
"""

from __future__ import annotations

from enum import Enum
from operator import attrgetter
from typing import Any, NamedTuple

#: Makes a named tuple of all its fields: `made(Evidence, (item, turn, ...))`. The class's own call
#: takes four times as long, and a pre-fill makes two hundred; only hot loops write it this way.
made = tuple.__new__


class Absent(Enum):
    """Why a row has no turn number."""

    NEVER = "never"
    UNKNOWN = "unknown"


NEVER = Absent.NEVER
UNKNOWN = Absent.UNKNOWN

#: A turn number, NEVER or UNKNOWN.
Point = int | Absent


class Verdict(Enum):
    """The state of a phase at the end of the call."""

    PASS = "pass"
    FAIL = "fail"
    UNKNOWN = "unknown"


# Bound once: each look-up of an enum member goes through its metaclass.
_PASS, _FAIL, _OPEN = Verdict.PASS, Verdict.FAIL, Verdict.UNKNOWN


class SeenMode(Enum):
    """How the content came up: asked and then answered, or merely appeared (paper, section on
    modes).
    """

    PROCEDURAL = "procedural"
    INFORMATIONAL = "informational"


_PROCEDURAL, _INFORMATIONAL = SeenMode.PROCEDURAL, SeenMode.INFORMATIONAL


class Evidence(NamedTuple):
    """A span that shows one acceptance item: code points [start, end) of a turn, or an event by its
    id.

    `source` names the matcher or the person; the words themselves are cut from the stored text when
    they are shown.
    """

    item: str
    turn: int
    start: int
    end: int
    source: str
    event: str | None = None


class Attempt(NamedTuple):
    """One time the phase was entered, kept for ever: the turn, the matcher or person that says so,
    and the span.
    """

    turn: int
    source: str
    start: int = 0
    end: int = 0
    event: str | None = None


class ItemState(NamedTuple):
    """One acceptance item: met on `turn`, or None with met False (not shown) or None (cannot be
    told).

    `candidates` are all spans that could show it, in turn order; the first counts.
    """

    id: str
    met: bool | None
    turn: int | None
    candidates: tuple[Evidence, ...] = ()
    acknowledged: bool = False
    volunteered: bool = False


class Row(NamedTuple):
    """The state of one phase, or of one of its instances (`key` is then the item's id).

    `start_ms` is when the start turn begins and `finish_ms` when the finish turn ends
    (milliseconds), so that a stored row can be judged again without its transcript. `clear_through`
    says that every UNKNOWN of the row means "not up to this turn" (a running call whose turns so
    far were all scanned). `contradicted_at` is an unresolved later contradiction; `revoked_at` one
    that a person has called REVOKED. `start_doubts` and `finish_doubts` are codes of transcript
    findings that may change the order of those turns.
    """

    phase: str
    start: Point
    finish: Point
    verdict: Verdict
    evidence: tuple[Evidence, ...] = ()
    volunteered: bool = False
    mode: SeenMode | None = None
    inferred: bool = False
    revoked_at: int | None = None
    contradicted_at: int | None = None
    key: str | None = None
    instances: tuple[Row, ...] | None = None
    start_ms: int | None = None
    finish_ms: int | None = None
    clear_through: int | None = None
    start_doubts: tuple[str, ...] = ()
    finish_doubts: tuple[str, ...] = ()
    items: tuple[ItemState, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    unacknowledged: tuple[str, ...] = ()
    start_source: str | None = None
    finish_source: str | None = None


_place_of = attrgetter("turn", "source", "start")


def roll_up(phase: str, instances: tuple[Row, ...]) -> Row:
    """Fold the instances of a per-item phase into the row of the call: s = min, e = max, v = and
    (design 1.3, 6).

    Raises ValueError without any instance: nothing to do is not a row that passed.
    """
    return _fold(phase, instances, whole=True)


def fold_points(phase: str, instances: tuple[Row, ...]) -> Row:
    """Fold what decides, and nothing else, of the instances of a per-item phase.

    Raises ValueError without any instance.
    """
    return _fold(phase, instances, whole=False)


def _fold(phase: str, instances: tuple[Row, ...], *, whole: bool) -> Row:
    """Fold what decides and, for the whole row, what people read beside it."""
    if not instances:
        raise ValueError(f"{phase}: no instance to roll up")
    start, first = _earliest(instances)
    finish, last = _latest(instances)
    evidence: list[Evidence] = []
    volunteered = False
    revoked_at = contradicted_at = None
    for row in instances:
        evidence += row.evidence
        volunteered = volunteered or row.volunteered
        revoked_at = _sooner(revoked_at, row.revoked_at)
        contradicted_at = _sooner(contradicted_at, row.contradicted_at)
    return Row(
        phase,
        start,
        finish,
        _conjunction([row.verdict for row in instances]),
        tuple(evidence),
        volunteered=volunteered,
        revoked_at=revoked_at,
        contradicted_at=contradicted_at,
        instances=instances,
        start_ms=first.start_ms if first else None,
        finish_ms=last.finish_ms if last else None,
        clear_through=_clear_through(instances),
        start_doubts=first.start_doubts if first else (),
        finish_doubts=last.finish_doubts if last else (),
        **(_described(instances, first, last) if whole else {}),
    )


def _described(instances: tuple[Row, ...], first: Row | None, last: Row | None) -> dict[str, Any]:
    """Fold what decides nothing; `first` and `last` are the instances that start and finish it."""
    attempts = dict.fromkeys([attempt for row in instances for attempt in row.attempts])
    named = dict.fromkeys([name for row in instances for name in row.unacknowledged])
    return {
        "mode": _mode([row.mode for row in instances]),
        "inferred": True in [row.inferred for row in instances],
        "items": _roll_up_items(instances),
        "attempts": tuple(sorted(attempts, key=_place_of)),
        "unacknowledged": tuple(named),
        "start_source": first.start_source if first else None,
        "finish_source": last.finish_source if last else None,
    }


def _sooner(turn: int | None, other: int | None) -> int | None:
    if turn is None or other is None:
        return turn if other is None else other
    return min(turn, other)


def _earliest(instances: tuple[Row, ...]) -> tuple[Point, Row | None]:
    earliest: Point = NEVER
    first: Row | None = None
    unknown: list[Row] = []
    for row in instances:
        start = row.start
        if start is UNKNOWN:
            unknown.append(row)
        elif isinstance(start, int) and (not isinstance(earliest, int) or start < earliest):
            earliest, first = start, row
    for row in unknown:
        if first is None or not _is_clear_at(row, earliest):
            return UNKNOWN, None
    return earliest, first


def _is_clear_at(row: Row, turn: Point) -> bool:
    through = row.clear_through
    return through is not None and isinstance(turn, int) and turn <= through


def _latest(instances: tuple[Row, ...]) -> tuple[Point, Row | None]:
    latest: Point = UNKNOWN
    last: Row | None = None
    finishes = [row.finish for row in instances]
    if NEVER in finishes or UNKNOWN in finishes:
        return (NEVER if NEVER in finishes else UNKNOWN), None
    for row in instances:
        finish = row.finish
        if isinstance(finish, int) and (not isinstance(latest, int) or finish > latest):
            latest, last = finish, row
    return latest, last


def _clear_through(instances: tuple[Row, ...]) -> int | None:
    """Return the turn up to which nothing that is open has happened; None where one cannot tell."""
    turns = [
        row.clear_through for row in instances if row.start is UNKNOWN or row.finish is UNKNOWN
    ]
    known = [turn for turn in turns if turn is not None]
    return min(known) if known and len(known) == len(turns) else None


def _conjunction(verdicts: list[Verdict]) -> Verdict:
    if _FAIL in verdicts:
        return _FAIL
    return _OPEN if _OPEN in verdicts else _PASS


def _roll_up_items(instances: tuple[Row, ...]) -> tuple[ItemState, ...]:
    """Fold the items of the first instance with the same ones of the others, where they are."""
    return tuple(
        [
            _roll_up_item([row.items[at] for row in instances if at < len(row.items)])
            for at in range(len(instances[0].items))
        ]
    )


def _roll_up_item(column: list[ItemState]) -> ItemState:
    met: bool | None = True
    turn: int | None = None
    candidates: list[Evidence] = []
    acknowledged = volunteered = False
    for state in column:
        if not state.met:
            met = met if met is False else state.met
        if state.turn is not None and (turn is None or state.turn > turn):
            turn = state.turn
        candidates += state.candidates
        acknowledged = acknowledged or state.acknowledged
        volunteered = volunteered or state.volunteered
    turn = turn if met else None
    return made(ItemState, (column[0].id, met, turn, tuple(candidates), acknowledged, volunteered))


def _mode(seen: list[SeenMode | None]) -> SeenMode | None:
    if _INFORMATIONAL in seen:
        return _INFORMATIONAL
    return _PROCEDURAL if _PROCEDURAL in seen else None
