"""Rules: which acceptance items are shown, the earliest finish, later contradictions, and facts.

What is not shown is not credited. Words of the wrong speaker never match (matchers name roles); an
event that the audited agent wrote itself may enter a phase but never finish a gate (design 1.3, 7).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from operator import attrgetter
from typing import NamedTuple

from catalogs.core.document import AcceptItem, Fact, FinishRule, Matcher, Mode, Phase, Scalar
from catalogs.core.requirements import evaluate
from review.core.evidence.scan import Hit, Scan
from review.core.rows import NEVER, UNKNOWN, Evidence, ItemState, Point, Row, SeenMode, Verdict

Counts = Callable[[Hit], bool]


class Entry(NamedTuple):
    """What the rules need to know of a phase: its start, whether it is a gate, and who reports its
    events.
    """

    phase: Phase
    start: Point
    gate: bool
    self_reported: frozenset[str]


class Finished(NamedTuple):
    """What the rules found: item by item, the finish, the evidence that counts, and how the content
    came up.
    """

    items: tuple[ItemState, ...]
    finish: Point
    source: str | None
    evidence: tuple[Evidence, ...]
    mode: SeenMode | None
    volunteered: bool
    unacknowledged: tuple[str, ...]


class _Credit(NamedTuple):
    """One hit that counts, on the turn from which it counts."""

    turn: int
    evidence: Evidence
    procedural: bool
    acknowledged: bool = False
    volunteered: bool = False


_turn_of = attrgetter("turn")


class _Shown(NamedTuple):
    credits: list[_Credit]
    unsure: bool
    unacknowledged: bool


# Bound once: each look-up of an enum member goes through its metaclass.
_PROCEDURAL = Mode.PROCEDURAL
_ANY, _ALL = FinishRule.ANY, FinishRule.ALL
_NOT_SHOWN = _Shown([], unsure=False, unacknowledged=False)


def find_finish(entry: Entry, scan: Scan, counts: Counts) -> Finished:
    """Find the first turn on which the acceptance items hold (all of them, or any: the phase's
    finish rule).
    """
    states: list[ItemState] = []
    credited: list[_Credit] = []
    unacknowledged: list[str] = []
    for item in entry.phase.accept:
        needed = _needed(item, scan)
        if needed is False:
            continue
        shown = _show(item, entry, scan, counts)
        best = shown.credits[0] if shown.credits else None
        met = True if best else None if shown.unsure or needed is None else False
        states.append(_state(item, met, best, shown))
        if best is not None:
            credited.append(best)
        elif shown.unacknowledged:
            unacknowledged.append(item.id)
    finish, last = _fold(entry.phase.finish, states, credited)
    counted = credited if entry.phase.finish is _ALL else [last] if last else []
    return Finished(
        items=tuple(states),
        finish=finish,
        source=last.evidence.source if last else None,
        evidence=tuple([credit.evidence for credit in credited]),
        mode=_mode(counted),
        volunteered=True in [credit.volunteered for credit in counted],
        unacknowledged=tuple(unacknowledged),
    )


def find_contradiction(phase: Phase, finish: Point, scan: Scan, counts: Counts) -> int | None:
    """Return the first turn after the finish on which later content reverses it, or None. A person
    must settle it.
    """
    if not phase.contradicts or not isinstance(finish, int):
        return None
    turns = [
        hit.opens for matcher in phase.contradicts for hit in scan.of(matcher.path) if counts(hit)
    ]
    return min((turn for turn in turns if isinstance(turn, int) and turn > finish), default=None)


def find_fact(fact: Fact, row: Row, scan: Scan) -> Scalar:
    """Read a fact off a phase that has passed; None (unknown) before that, or while the phase is
    contradicted.
    """
    if row.verdict is not Verdict.PASS or row.contradicted_at is not None:
        return None
    since = min([point for point in (row.start, row.finish) if isinstance(point, int)], default=0)
    if fact.value is not None:
        hits = [
            hit
            for hit in scan.of(fact.value.path)
            if isinstance(hit.opens, int) and hit.opens >= since
        ]
        return _typed(fact.type, scan.captured(fact.value, hits[0])) if hits else None
    hits = [hit for matcher in fact.true_if for hit in scan.of(matcher.path)]
    return (
        True
        if any(isinstance(hit.finishes, int) and hit.finishes >= since for hit in hits)
        else fact.otherwise
    )


def first_evidence(states: tuple[ItemState, ...]) -> Evidence | None:
    """Return the earliest evidence of any item (the inferred start of a phase without an anchor),
    or None.
    """
    found = [state.candidates[0] for state in states if state.met and state.candidates]
    return min(found, key=lambda piece: piece.turn, default=None)


def _needed(item: AcceptItem, scan: Scan) -> bool | None:
    if item.when is None:
        return True
    attributes: Mapping[str, object] = scan.call.attributes
    return evaluate(
        item.when,
        phase_state=lambda phase, state: None,
        fact=lambda name: None,
        attribute=lambda name: _scalar(attributes.get(name)),
    )


def _scalar(value: object) -> Scalar:
    return None if isinstance(value, tuple) else value  # type: ignore[return-value]  # attributes are scalars or lists


def _show(item: AcceptItem, entry: Entry, scan: Scan, counts: Counts) -> _Shown:
    hits = _hits(item.match, scan, counts)
    if entry.gate:
        hits = [hit for hit in hits if not _own_word(entry, hit)]
    if not hits:
        return _NOT_SHOWN
    ack = _acknowledgement(item, entry, scan, counts)
    credits: list[_Credit] = []
    unsure = unacknowledged = False
    for hit in hits:
        if hit.finishes is UNKNOWN:
            unsure = True
        elif isinstance(hit.finishes, int):
            credit = _credit(item, entry, hit, hit.finishes, ack)
            if credit is None:
                unacknowledged = True
            else:
                credits.append(credit)
    if len(credits) > 1:
        credits.sort(key=_turn_of)
    return _Shown(credits, unsure, unacknowledged)


def _hits(matchers: tuple[Matcher, ...], scan: Scan, counts: Counts) -> list[Hit]:
    return [hit for matcher in matchers for hit in scan.of(matcher.path) if counts(hit)]


def _own_word(entry: Entry, hit: Hit) -> bool:
    return hit.event is not None and hit.event.name in entry.self_reported


def _acknowledgement(item: AcceptItem, entry: Entry, scan: Scan, counts: Counts) -> Hit | None:
    """Find the first in-phase acknowledgement of an item; a phase-wide one credits only a phase of
    one item.
    """
    phase = entry.phase
    if not phase.ack_required or not isinstance(entry.start, int):
        return None
    matchers = item.ack or (phase.ack if len(phase.accept) == 1 else ())
    hits = [
        hit
        for hit in _hits(matchers, scan, counts)
        if isinstance(hit.finishes, int) and hit.finishes >= entry.start
    ]
    return min(hits, key=lambda hit: hit.position, default=None)


def _credit(item: AcceptItem, entry: Entry, hit: Hit, turn: int, ack: Hit | None) -> _Credit | None:
    """Decide from which turn a hit counts; None where it does not (before the start and not taken
    up again).
    """
    phase, start = entry.phase, entry.start
    procedural = hit.asked or (isinstance(start, int) and start < turn)
    evidence = _evidence(item, hit)
    if isinstance(start, int) and turn < start:
        if phase.ack_required:
            if ack is None or not isinstance(ack.finishes, int):
                return None
            return _Credit(ack.finishes, _evidence(item, ack), procedural=True, acknowledged=True)
        if phase.volunteered is not None and not phase.volunteered.accept:
            return None
        return (
            None
            if phase.mode is _PROCEDURAL
            else _Credit(turn, evidence, procedural=False, volunteered=True)
        )
    if phase.mode is _PROCEDURAL and not procedural:
        return None
    return _Credit(turn, evidence, procedural)


def _evidence(item: AcceptItem, hit: Hit) -> Evidence:
    event = hit.event.id if hit.event else None
    turn = hit.finishes if isinstance(hit.finishes, int) and hit.event else hit.turn
    return Evidence(item.id, turn, hit.start, hit.end, hit.source, event)


def _state(item: AcceptItem, met: bool | None, best: _Credit | None, shown: _Shown) -> ItemState:
    candidates = tuple([credit.evidence for credit in shown.credits])
    if best is None:
        return ItemState(item.id, met, None, candidates)
    return ItemState(item.id, met, best.turn, candidates, best.acknowledged, best.volunteered)


def _fold(
    rule: FinishRule, states: list[ItemState], credited: list[_Credit]
) -> tuple[Point, _Credit | None]:
    if rule is _ANY and credited:
        first = min(credited, key=_turn_of)
        return first.turn, first
    mets = [state.met for state in states]
    if rule is _ANY or not mets or False in mets:
        undecided = rule is _ANY and None in mets
        return (UNKNOWN if undecided else NEVER), None
    if None in mets:
        return UNKNOWN, None
    last = max(credited, key=_turn_of)
    return last.turn, last


def _mode(credited: list[_Credit]) -> SeenMode | None:
    if not credited:
        return None
    return (
        SeenMode.PROCEDURAL
        if False not in [credit.procedural for credit in credited]
        else SeenMode.INFORMATIONAL
    )


def _typed(kind: str, text: str | None) -> Scalar:
    if text is None or kind != "number":
        return text
    try:
        return Decimal(text.replace(",", ""))
    except InvalidOperation:
        return None
