"""Rules: which acceptance items are shown, the earliest finish, later contradictions, and facts.

What is not shown is not credited. Words of the wrong speaker never match (matchers name roles); an
event that the audited agent wrote itself may enter a phase but never finish a gate (design 1.3, 7).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from operator import attrgetter
from typing import NamedTuple

from catalogs.core.document import (
    AcceptItem,
    Fact,
    FinishRule,
    Matcher,
    Mode,
    Phase,
    Scalar,
    StartsOn,
)
from catalogs.core.requirements import Expression, evaluate
from review.core.evidence.instances import HitsOf
from review.core.evidence.scan import Hit, Scan
from review.core.rows import (
    NEVER,
    UNKNOWN,
    Evidence,
    ItemState,
    Point,
    Row,
    SeenMode,
    Verdict,
    made,
)
from review.core.transcript import Attribute

Attributes = Mapping[str, Attribute]


class Entry(NamedTuple):
    """What the rules need to know of a phase: its start, whether it is a gate, and the names of the
    events that show nothing here because the audited agent wrote them itself.
    """

    phase: Phase
    start: Point
    gate: bool
    own: frozenset[str]


class Finished(NamedTuple):
    """What the rules found: item by item, the finish, the evidence that counts, and how the content
    came up. `opened` is where any of it opened the phase, and by which matcher, for a phase that no
    anchor entered: a turn, UNKNOWN, or NEVER.
    """

    items: tuple[ItemState, ...]
    finish: Point
    source: str | None
    evidence: tuple[Evidence, ...]
    mode: SeenMode | None
    volunteered: bool
    unacknowledged: tuple[str, ...]
    opened: Point
    opened_by: str | None


class _Credit(NamedTuple):
    """One hit that counts, on the turn from which it counts."""

    turn: int
    evidence: Evidence
    procedural: bool
    acknowledged: bool = False
    volunteered: bool = False


_turn_of = attrgetter("turn")


# Bound once: each look-up of an enum member goes through its metaclass.
_PROCEDURAL = Mode.PROCEDURAL
_ANY, _ALL = FinishRule.ANY, FinishRule.ALL


def find_finish(entry: Entry, attributes: Attributes, hits_of: HitsOf) -> Finished:
    """Find the first turn on which the acceptance items hold (all of them, or any: the phase's
    finish rule).
    """
    states: list[ItemState] = []
    credited: list[_Credit] = []
    unacknowledged: list[str] = []
    for item in entry.phase.accept:
        needed = True if item.when is None else _needed(item.when, attributes)
        if needed is False:
            continue
        credits, unsure, passed_by = _show(item, entry, hits_of)
        if credits:
            states.append(_met(item, credits))
            credited.append(credits[0])
            continue
        states.append(ItemState(item.id, None if unsure or needed is None else False, None))
        if passed_by:
            unacknowledged.append(item.id)
    finish, last = _fold(entry.phase.finish, states, credited)
    opened, opened_by = _opened(entry, hits_of) if entry.start is NEVER else (NEVER, None)
    counted = credited if entry.phase.finish is _ALL else [last] if last else []
    return Finished(
        tuple(states),
        finish,
        last.evidence.source if last else None,
        tuple([credit.evidence for credit in credited]),
        _mode(counted),
        True in [credit.volunteered for credit in counted],
        tuple(unacknowledged),
        opened,
        opened_by,
    )


def _opened(entry: Entry, hits_of: HitsOf) -> tuple[Point, str | None]:
    """Return where the evidence of a phase opens it, for one that no anchor entered.

    A question opens it before its answer and a tool call before its result; what the audited agent
    wrote itself opens it too. One hit that cannot be placed may be the earliest.
    """
    on_answer = entry.phase.starts_on is StartsOn.ANSWER
    hits = [hit for item in entry.phase.accept for hit in _hits(item.match, hits_of)]
    points = [(hit.finishes if hit.asked and on_answer else hit.opens, hit.source) for hit in hits]
    if UNKNOWN in [point for point, _ in points]:
        return UNKNOWN, None
    turns = [(point, source) for point, source in points if isinstance(point, int)]
    return min(turns) if turns else (NEVER, None)


def find_contradiction(phase: Phase, finished: Finished, hits_of: HitsOf) -> int | None:
    """Return the first turn on which later content reverses the finish, or None. A person must
    settle it.

    On the finish turn itself, words after the evidence reverse it and words before do not; an event
    counts on the turn to which it is rounded against credit, one without a place on the finish.
    """
    finish = finished.finish
    if not phase.contradicts or not isinstance(finish, int):
        return None
    shown = [piece.end for piece in finished.evidence if piece.turn == finish]
    turns: list[int] = []
    for hit in _hits(phase.contradicts, hits_of):
        turn = hit.finishes if hit.event is not None else hit.opens
        turn = finish if turn is UNKNOWN else turn
        after = hit.event is not None or hit.start >= max(shown, default=0)
        if isinstance(turn, int) and (turn > finish or (turn == finish and after)):
            turns.append(turn)
    return min(turns, default=None)


def find_fact(fact: Fact, row: Row, scan: Scan) -> Scalar:
    """Read a fact off a phase that has passed; None (unknown) before that, while the phase is
    contradicted, and where the only hits are events that may not have happened.
    """
    if row.verdict is not Verdict.PASS or row.contradicted_at is not None:
        return None
    since = min([point for point in (row.start, row.finish) if isinstance(point, int)], default=0)
    matchers = (fact.value,) if fact.value is not None else fact.true_if
    hits = _hits(matchers, scan.of)
    sure = [hit for hit in hits if isinstance(hit.finishes, int) and hit.finishes >= since]
    if not sure:
        unsure = UNKNOWN in [hit.finishes for hit in hits]
        return None if unsure or fact.value is not None else fact.otherwise
    if fact.value is not None:
        return _typed(fact.type, scan.captured(fact.value, sure[0]))
    return True


def _needed(when: Expression, attributes: Attributes) -> bool | None:
    return evaluate(
        when,
        phase_state=lambda phase, state: None,
        fact=lambda name: None,
        attribute=lambda name: _scalar(attributes.get(name)),
    )


def _scalar(value: Attribute) -> Scalar:
    return None if isinstance(value, tuple) else value


def _show(item: AcceptItem, entry: Entry, hits_of: HitsOf) -> tuple[Sequence[_Credit], bool, bool]:
    """Return what credits an item, the earliest first; whether something may show it that has no
    place; and whether something shows it that was never taken up inside the phase.
    """
    hits = _proof(entry, item.match, hits_of)
    if not hits:
        return (), False, False
    taken_up = entry.phase.ack_required
    if taken_up and entry.gate and not isinstance(entry.start, int):
        # Nothing can be taken up inside a gate that nobody entered, or entered who knows when.
        return (), entry.start is UNKNOWN, True
    ack = _acknowledgement(item, entry, hits_of) if taken_up else None
    start = entry.start if isinstance(entry.start, int) else None
    to_be_asked = entry.phase.mode is _PROCEDURAL
    credits: list[_Credit] = []
    unsure = unacknowledged = False
    for hit in hits:
        source, _, turn, _, _, _, begin, end, asked, _, event = hit
        if not isinstance(turn, int):
            unsure = unsure or turn is UNKNOWN
            continue
        named = None if event is None else event.id
        evidence = made(Evidence, (item.id, turn, begin, end, source, named))
        if start is not None and turn < start:
            credit = _volunteered(entry.phase, item, evidence, ack)
        else:
            procedural = asked or (start is not None and start < turn)
            told = (turn, evidence, procedural, False, False)
            credit = made(_Credit, told) if procedural or not to_be_asked else None
        if credit is None:
            unacknowledged = True
        else:
            credits.append(credit)
    if len(credits) > 1:
        credits.sort(key=_turn_of)
    return credits, unsure, unacknowledged


def _hits(matchers: tuple[Matcher, ...], hits_of: HitsOf) -> list[Hit]:
    return [hit for matcher in matchers for hit in hits_of(matcher.path)]


def _proof(entry: Entry, matchers: tuple[Matcher, ...], hits_of: HitsOf) -> list[Hit]:
    """Return the hits that may show something: for a gate, none that the agent wrote itself."""
    own = entry.own
    hits = hits_of(matchers[0].path) if len(matchers) == 1 else _hits(matchers, hits_of)
    if not own:
        return hits
    return [hit for hit in hits if hit.event is None or hit.event.name not in own]


def _acknowledgement(item: AcceptItem, entry: Entry, hits_of: HitsOf) -> Hit | None:
    """Find the first in-phase acknowledgement of an item; a phase-wide one credits only a phase of
    one item.
    """
    phase = entry.phase
    if not isinstance(entry.start, int):
        return None
    matchers = item.ack or (phase.ack if len(phase.accept) == 1 else ())
    hits = [
        hit
        for hit in _proof(entry, matchers, hits_of)
        if isinstance(hit.finishes, int) and hit.finishes >= entry.start
    ]
    return min(hits, key=lambda hit: hit.position, default=None)


def _volunteered(
    phase: Phase, item: AcceptItem, evidence: Evidence, ack: Hit | None
) -> _Credit | None:
    """Credit what was said before the phase was entered, or return None: where it must be taken up
    again and was not, and where the phase takes only what was asked.
    """
    if phase.ack_required:
        if ack is None or not isinstance(ack.finishes, int):
            return None
        event = None if ack.event is None else ack.event.id
        taken_up = Evidence(item.id, ack.finishes, ack.start, ack.end, ack.source, event)
        return _Credit(ack.finishes, taken_up, procedural=True, acknowledged=True)
    refused = phase.volunteered is not None and not phase.volunteered.accept
    if refused or phase.mode is _PROCEDURAL:
        return None
    return _Credit(evidence.turn, evidence, procedural=False, volunteered=True)


def _met(item: AcceptItem, credits: Sequence[_Credit]) -> ItemState:
    turn, evidence, _, acknowledged, volunteered = credits[0]
    others = [credit.evidence for credit in credits[1:]] if len(credits) > 1 else ()
    return made(ItemState, (item.id, True, turn, (evidence, *others), acknowledged, volunteered))


def _fold(
    rule: FinishRule, states: list[ItemState], credited: list[_Credit]
) -> tuple[Point, _Credit | None]:
    if rule is _ANY and credited:
        first = min(credited, key=_turn_of)
        return first.turn, first
    if credited and len(credited) == len(states):
        last = max(credited, key=_turn_of)
        return last.turn, last
    mets = [state.met for state in states]
    if rule is _ANY or not mets or False in mets:
        undecided = rule is _ANY and None in mets
        return (UNKNOWN if undecided else NEVER), None
    return UNKNOWN, None


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
