"""One pass over a call: every hit of every matcher, with its place, its span and the item it speaks
of.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
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
from review.core.evidence.patterns import Logged, PatternTable, grouped
from review.core.evidence.placing import Place, Timeline
from review.core.evidence.words import SILENT, Hearing, SearchedText, read_words
from review.core.rows import NEVER, UNKNOWN, Point, made
from review.core.transcript import Call, Event, ListItem, Turn

_NOT_AN_ANSWER = frozenset({"empty_turn", "non_speech"})
_NO_SPAN = (0, 0)


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
    ask_span: tuple[int, int] = _NO_SPAN
    event: Event | None = None


class Scan:
    """One call as one catalog reads it. Hits are made when they are asked for, and kept."""

    def __init__(
        self,
        call: Call,
        table: PatternTable,
        lists: frozenset[str],
        hearing: Hearing | None = None,
    ) -> None:
        """Scan a call once. `lists` are the list attributes whose elements turns may name;
        `hearing` is what was heard of a running call before.
        """
        self.call = call
        self.namings: dict[str, Naming] = {
            name: name_items(call, _elements(call, name)) for name in sorted(lists)
        }
        self._table = table
        read = read_words if hearing is None else hearing.read
        self._words = read(call, table, self._naming_several())
        self._hits: dict[str, list[Hit]] = {}
        self._by_item: dict[tuple[str, str], Mapping[str, list[Hit]]] = {}
        self._places: dict[int, Place] = {}
        self._timeline = Timeline(call)
        self._events: dict[str, list[Event]] | None = None
        self._by_value: dict[tuple[str, str], defaultdict[str, list[Event]]] = {}

    @property
    def not_nfc(self) -> tuple[int, ...]:
        """The numbers of the turns whose text is not in Unicode form NFC."""
        return tuple(self._words.not_nfc)

    def of(self, path: str) -> list[Hit]:
        """Return the hits of the matcher at this path, in the order of the call."""
        hits = self._hits.get(path)
        if hits is None:
            logged = self._table.events.get(path)
            hits = self._said_or_asked(path) if logged is None else self._logged(logged)
            self._hits[path] = hits
        return hits

    def place_of(self, event: Event) -> Place:
        """Return at which turn an event of this call counts."""
        # By the event itself: a file may give two events one id.
        place = self._places.get(id(event))
        if place is None:
            place = self._places[id(event)] = self._timeline.place(event)
        return place

    def turn_at(self, point: Point) -> Turn | None:
        """Return the turn of this number, or None where there is none."""
        position = self._timeline.position_of.get(point)
        return None if position is None else self.call.turns[position]

    def by_item(self, path: str, attribute: str) -> Mapping[str, list[Hit]]:
        """Return the hits of a matcher for each element of `call.attribute`: those that speak of
        it, and those that speak of none because none was named up to them.
        """
        by_item = self._by_item.get((path, attribute))
        if by_item is None:
            by_item = _share_out(self.of(path), self.namings[attribute])
            self._by_item[path, attribute] = by_item
        return by_item

    def captured(self, matcher: TextMatcher, hit: Hit) -> str | None:
        """Return what the group named value holds in the match that made a hit, or None where it is
        empty.
        """
        text = SearchedText(self.call.turns[hit.position].text)
        return text.captured(grouped(matcher.pattern), (hit.start, hit.end))

    def _naming_several(self) -> frozenset[int]:
        return frozenset().union(*(naming.several for naming in self.namings.values()))

    def _said_or_asked(self, path: str) -> list[Hit]:
        number, reader = self._table.readers[path]
        places = self._words.places.get(number)
        if places is None:
            return []
        turns, numbers = self.call.turns, self._words.numbers
        roles, unless, matcher = reader.roles, reader.unless, reader.matcher
        limit = matcher.within_seconds
        hits: list[Hit] = []
        for position, (start, end) in places:
            turn = turns[position]
            if turn.role not in roles or unless in numbers[position]:
                continue
            if isinstance(matcher, AskMatcher):
                hits.append(self._asked(matcher, position, (start, end), reader.answer_unless))
                continue
            number = turn.number
            point = number if limit is None else _within(limit, turn.start_ms, number)
            hit = (
                path,
                point,
                point,
                position,
                position,
                number,
                start,
                end,
                False,
                _NO_SPAN,
                None,
            )
            hits.append(made(Hit, hit))
        return hits

    def _logged(self, logged: Logged) -> list[Hit]:
        matcher, source, where, refused = (
            logged.matcher,
            logged.source,
            logged.where,
            logged.refused,
        )
        return [
            self._event_hit(matcher, event)
            for event in self._events_of(matcher.name, where)
            if event.source is source and event.ok not in refused and _holds(where, event.args)
        ]

    def _events_of(self, name: str, where: tuple[tuple[str, object], ...]) -> list[Event]:
        """Return the events of a name; where the first value asked of them is a text, with it."""
        if self._events is None:
            self._events = {}
            for event in self.call.events:
                self._events.setdefault(event.name, []).append(event)
        named = self._events.get(name, [])
        key, wanted = where[0] if where else ("", None)
        if not isinstance(wanted, str):
            return named
        by_value = self._by_value.get((name, key))
        if by_value is None:
            by_value = self._by_value[name, key] = defaultdict(list)
            for event in named:
                value = event.args.get(key)
                if isinstance(value, str):
                    by_value[value].append(event)
        return by_value.get(wanted, [])

    def _asked(self, matcher: AskMatcher, position: int, span: tuple[int, int], excuse: int) -> Hit:
        turn = self.call.turns[position]
        answer = self._answer(matcher, position, excuse)
        # Without an answer the hit stays on the question, which may still enter the phase.
        said, shown = (turn, span) if answer is None else self._whole(answer)
        finishes = _within(matcher.within_seconds, said.start_ms, said.number)
        opens = _within(matcher.within_seconds, turn.start_ms, turn.number)
        place = (NEVER, position) if answer is None else (finishes, answer)
        return made(
            Hit, (matcher.path, opens, *place, position, said.number, *shown, True, span, None)
        )

    def _whole(self, position: int) -> tuple[Turn, tuple[int, int]]:
        turn = self.call.turns[position]
        return turn, (0, len(turn.text))

    def _answer(self, matcher: AskMatcher, position: int, excuse: int) -> int | None:
        """Find the first turn of an answering role that answers, within `within` turns. Silence,
        noise and words that the matcher exempts are no answer; the next turn may be one.
        """
        for later in range(position + 1, min(position + 1 + matcher.within, len(self.call.turns))):
            turn = self.call.turns[later]
            excused = excuse in self._words.numbers.get(later, ())
            if turn.role in matcher.answer_by and not excused and _is_said(turn):
                return later
        return None

    def _event_hit(self, matcher: EventMatcher, event: Event) -> Hit:
        opens, finishes, position = self.place_of(event)
        turn = opens if isinstance(opens, int) else -1
        if matcher.within_seconds is not None:
            at_ms = event.at_ms if event.at_ms is not None else self._start_of(position)
            opens = _within(matcher.within_seconds, at_ms, opens)
            finishes = _within(matcher.within_seconds, at_ms, finishes)
        if event.ok is None and matcher.ok is not OkPolicy.ANY:
            finishes = UNKNOWN
        place = (opens, finishes, position, position, turn, 0, 0)
        return made(Hit, (matcher.path, *place, False, _NO_SPAN, event))

    def _start_of(self, position: int) -> int | None:
        return self.call.turns[position].start_ms if position >= 0 else None


def _is_said(turn: Turn) -> bool:
    silent = turn.kind in SILENT or not turn.text.strip()
    return not silent and not _NOT_AN_ANSWER.intersection(turn.flags)


def list_attributes(document: Document) -> frozenset[str]:
    """Return the names of the list attributes that phases are owed for."""
    keys = (phase.for_each for phase in document.phases)
    return frozenset(key.attribute for key in keys if isinstance(key, ListKey))


def _share_out(hits: list[Hit], naming: Naming) -> Mapping[str, list[Hit]]:
    shares: dict[str, list[Hit]] = {item.id: [] for item in naming.items}
    for hit in hits:
        item = _item_of(hit, naming)
        if item is not None:
            shares[item].append(hit)
            continue
        for share in shares.values():
            share.append(hit)
    return shares


def _item_of(hit: Hit, naming: Naming) -> str | None:
    if hit.event is not None:
        named = naming.of_arguments(tuple(hit.event.args.values()))
        return named or (naming.carried[hit.position] if hit.position >= 0 else None)
    if hit.asked and hit.position not in naming.mentions:
        return naming.at(hit.opened_at, hit.ask_span[1])
    return naming.at(hit.position, hit.end)


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


def _holds(where: tuple[tuple[str, object], ...], args: Mapping[str, object]) -> bool:
    """Compare an event's arguments with a matcher's values; true is not the number 1."""
    for key, wanted in where:
        given = args.get(key)
        if given != wanted or isinstance(given, bool) is not isinstance(wanted, bool):
            return False
    return True
