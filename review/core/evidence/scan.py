"""One pass over a call: every hit of every matcher, with its place, its span and the item it speaks
of.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from catalogs.core.document import (
    AskMatcher,
    Document,
    EventMatcher,
    ListKey,
    OkPolicy,
    TextMatcher,
)
from review.core.evidence.naming import Naming, name_items
from review.core.evidence.patterns import PatternTable, Reader
from review.core.evidence.placing import Place, Timeline
from review.core.evidence.spans import nfc_map, widen
from review.core.rows import NEVER, UNKNOWN, Point
from review.core.transcript import Call, Event, ListItem, Turn, TurnKind

_SILENT = frozenset({TurnKind.TOOL_CALL, TurnKind.TOOL_RESULT, TurnKind.HOLD})
_NOT_AN_ANSWER = frozenset({"empty_turn", "non_speech"})


class Hit(NamedTuple):
    """One place where a matcher holds.

    `opens` is the turn on which it can enter a phase and `finishes` the one on which it can satisfy
    an item (NEVER: a question without an answer; UNKNOWN: cannot be placed). `position` is the
    turn's place in the sequence; `opened_at` that of the question. The span is code points of turn
    `turn` (the answer's, for a question and its answer); `ask_span` that of the question.
    """

    source: str
    opens: Point
    finishes: Point
    position: int
    opened_at: int
    turn: int
    start: int
    end: int
    asked: bool = False
    ask_span: tuple[int, int] = (0, 0)
    event: Event | None = None


class Scan:
    """All hits of one call, by the matcher's path; what was read on the way is kept for spans and
    items.
    """

    def __init__(self, call: Call, table: PatternTable, lists: frozenset[str]) -> None:
        """Scan a call once. `lists` are the list attributes whose elements turns may name."""
        self.call = call
        self.timeline = Timeline(call)
        self.namings: dict[str, Naming] = {
            name: name_items(call, _elements(call, name)) for name in sorted(lists)
        }
        self.not_nfc: list[int] = []
        self.hits: dict[str, list[Hit]] = {}
        self._table = table
        for position, turn in enumerate(call.turns):
            if turn.role in table.roles and turn.kind not in _SILENT:
                self._read_turn(position, turn)
        self.places: dict[str, Place] = {
            event.id: self.timeline.place(event) for event in call.events
        }
        for event in call.events:
            for matcher in table.events.get((event.source.value, event.name), ()):
                self._read_event(matcher, event)

    def of(self, path: str) -> list[Hit]:
        """Return the hits of the matcher at this path, in the order of the call."""
        return self.hits.get(path, [])

    def item_of(self, hit: Hit, attribute: str) -> str | None:
        """Return the element of `call.attribute` that a hit speaks of, or None where none was named
        up to it.
        """
        naming = self.namings[attribute]
        if hit.event is not None:
            named = naming.of_arguments(tuple(hit.event.args.values()))
            return named or (naming.carried[hit.position] if hit.position >= 0 else None)
        if hit.asked and not naming.mentions[hit.position]:
            return naming.at(hit.opened_at, hit.ask_span[1])
        return naming.at(hit.position, hit.end)

    def captured(self, matcher: TextMatcher, hit: Hit) -> str | None:
        """Return what the group named value holds in the match that made a hit, or None where it is
        empty.
        """
        text = _Text(self.call.turns[hit.position].text)
        return text.captured(
            self._table.singles[self._table.number(matcher.pattern)], (hit.start, hit.end)
        )

    def _read_turn(self, position: int, turn: Turn) -> None:
        text = _Text(turn.text)
        if text.offsets is not None:
            self.not_nfc.append(turn.number)
        found = self._table.matching(text.encoded)
        if not found:
            return
        for number in found:
            for reader in self._table.readers[number]:
                if turn.role in reader.roles and reader.unless not in found:
                    self._add(reader, number, position, text)

    def _add(self, reader: Reader, number: int, position: int, text: _Text) -> None:
        matcher = reader.matcher
        hits = self.hits.setdefault(matcher.path, [])
        every = any(naming.several(position) for naming in self.namings.values())
        for span in text.spans(self._table.singles[number], every=every):
            if isinstance(matcher, TextMatcher):
                hits.append(self._said(matcher, position, span))
            else:
                hits.append(self._asked(matcher, position, span))

    def _said(self, matcher: TextMatcher, position: int, span: tuple[int, int]) -> Hit:
        turn = self.call.turns[position]
        point = _within(matcher.within_seconds, turn.start_ms, turn.number)
        return Hit(matcher.path, point, point, position, position, turn.number, span[0], span[1])

    def _asked(self, matcher: AskMatcher, position: int, span: tuple[int, int]) -> Hit:
        turn = self.call.turns[position]
        opens = _within(matcher.within_seconds, turn.start_ms, turn.number)
        answer = self._answer(matcher, position)
        if answer is None:
            return Hit(
                matcher.path,
                opens,
                NEVER,
                position,
                position,
                turn.number,
                *span,
                asked=True,
                ask_span=span,
            )
        said = self.call.turns[answer]
        finishes = _within(matcher.within_seconds, said.start_ms, said.number)
        return Hit(
            matcher.path,
            opens,
            finishes,
            answer,
            position,
            said.number,
            0,
            len(said.text),
            asked=True,
            ask_span=span,
        )

    def _answer(self, matcher: AskMatcher, position: int) -> int | None:
        """Find the first turn by an answering role within `within` turns after the question."""
        for later in range(position + 1, min(position + 1 + matcher.within, len(self.call.turns))):
            turn = self.call.turns[later]
            if turn.role in matcher.answer_by and turn.kind not in _SILENT:
                return (
                    None
                    if not turn.text.strip() or _NOT_AN_ANSWER.intersection(turn.flags)
                    else later
                )
        return None

    def _read_event(self, matcher: EventMatcher, event: Event) -> None:
        if not all(_same(event.args.get(key), value) for key, value in matcher.where.items()):
            return
        if _ok_mismatch(matcher.ok, event.ok):
            return
        place = self.places[event.id]
        at_ms = event.at_ms if event.at_ms is not None else self._start_of(place.position)
        unsure = matcher.ok is not OkPolicy.ANY and event.ok is None
        finishes = UNKNOWN if unsure else _within(matcher.within_seconds, at_ms, place.finish)
        turn = place.start if isinstance(place.start, int) else -1
        opens = _within(matcher.within_seconds, at_ms, place.start)
        hit = Hit(
            matcher.path, opens, finishes, place.position, place.position, turn, 0, 0, event=event
        )
        self.hits.setdefault(matcher.path, []).append(hit)

    def _start_of(self, position: int) -> int | None:
        return self.call.turns[position].start_ms if position >= 0 else None


class _Text:
    """A turn's text as RE2 reads it: the NFC copy in UTF-8, and the way back to offsets of the
    stored text.
    """

    __slots__ = ("_copy", "encoded", "offsets")

    def __init__(self, text: str) -> None:
        self.offsets: list[int] | None = None
        self._copy = text
        if not text.isascii() and not unicodedata.is_normalized("NFC", text):
            self._copy, self.offsets = nfc_map(text)
        self.encoded = self._copy.encode("utf-8")

    def spans(self, pattern: object, *, every: bool) -> Iterator[tuple[int, int]]:
        """Yield the span of the first match, or of every one, in code points of the stored text."""
        matches = pattern.finditer(self.encoded) if every else (pattern.search(self.encoded),)  # type: ignore[attr-defined]  # re2 has no stubs
        for match in matches:
            if match is not None:
                yield self._to_stored(match.start(), match.end())

    def captured(self, pattern: object, span: tuple[int, int]) -> str | None:
        """Return the group named value of the match that lies at a span of the stored text."""
        for match in pattern.finditer(self.encoded):  # type: ignore[attr-defined]  # re2 has no stubs
            if self._to_stored(match.start(), match.end()) == span:
                value = match.group(b"value")
                return value.decode("utf-8") if value else None
        return None

    def _to_stored(self, start: int, end: int) -> tuple[int, int]:
        if len(self.encoded) != len(self._copy):
            start, end = (
                len(self.encoded[:start].decode("utf-8")),
                len(self.encoded[:end].decode("utf-8")),
            )
        return (start, end) if self.offsets is None else widen(self.offsets, start, end)


def list_attributes(document: Document) -> frozenset[str]:
    """Return the names of the list attributes that phases are owed for."""
    keys = (phase.for_each for phase in document.phases)
    return frozenset(key.attribute for key in keys if isinstance(key, ListKey))


def _elements(call: Call, attribute: str) -> tuple[ListItem, ...]:
    value = call.attributes.get(attribute)
    return value if isinstance(value, tuple) else ()


def _within(limit_seconds: int | None, at_ms: int | None, point: Point) -> Point:
    """Apply a limit on the clock: past it the hit is NEVER one, without a time UNKNOWN."""
    if limit_seconds is None:
        return point
    if at_ms is None:
        return UNKNOWN
    return point if at_ms <= limit_seconds * 1000 else NEVER


def _same(given: object, wanted: object) -> bool:
    """Compare an event's argument with a matcher's value; true is not the number 1."""
    return given == wanted and isinstance(given, bool) is isinstance(wanted, bool)


def _ok_mismatch(policy: OkPolicy, ok: bool | None) -> bool:
    if policy is OkPolicy.TRUE:
        return ok is False
    return policy is OkPolicy.FALSE and ok is True
