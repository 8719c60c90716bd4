"""All patterns of one catalog version, compiled once: RE2 sets to find which hit, single patterns
for the spans.

A set holds at most 100 patterns and may use 64 MiB: on exhaustion RE2::Set answers "no match"
without an error, so it is given far more than any linted catalog needs (engine.md 5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import re2
from re2._re2 import RE2

from catalogs.core.document import (
    AskMatcher,
    Document,
    EventMatcher,
    Matcher,
    OkPolicy,
    TextMatcher,
)
from review.core.transcript import EventSource

SET_SIZE = 100
MAX_MEMORY = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Reader:
    """One text matcher as the scan uses it; `unless` and `answer_unless` are numbers of patterns,
    or -1.
    """

    matcher: TextMatcher | AskMatcher
    roles: frozenset[str]
    unless: int
    answer_unless: int = -1


@dataclass(frozen=True, slots=True)
class Logged:
    """One event matcher as the scan uses it: where its events are written down, the values that
    their arguments must have, and the outcomes with which an event is none of its.
    """

    matcher: EventMatcher
    source: EventSource
    where: tuple[tuple[str, object], ...]
    refused: frozenset[bool | None]


#: An event of unknown outcome is refused by no policy: it may have happened, or may have failed.
_REFUSED: Mapping[OkPolicy, frozenset[bool | None]] = {
    OkPolicy.TRUE: frozenset({False}),
    OkPolicy.FALSE: frozenset({True}),
    OkPolicy.ANY: frozenset(),
}


class PatternTable:
    """The compiled patterns of a document; by path, the matchers that read them and the events.

    `read_by` says for each role the numbers of the patterns that any matcher reads its turns with.
    """

    def __init__(self, document: Document) -> None:
        """Compile; raises re2.error for a pattern that RE2 refuses (the loader reports it as E401
        earlier).
        """
        self._numbers: dict[str, int] = {}
        self.readers: dict[str, tuple[int, Reader]] = {}
        self.read_by: dict[str | None, set[int]] = {}
        self.events: dict[str, Logged] = {}
        for matcher in matchers_of(document):
            self._add(matcher)
        options = re2.Options()
        options.max_mem = MAX_MEMORY
        texts = list(self._numbers)
        # Spans need no groups, and a search without them is much faster.
        whole = re2.Options()
        whole.max_mem = MAX_MEMORY
        whole.never_capture = True
        self.singles = [re2.compile(text.encode("utf-8"), whole) for text in texts]
        self.first_spans = [_first_span(single) for single in self.singles]
        self._sets = [
            matching_of(texts[at : at + SET_SIZE], options) for at in range(0, len(texts), SET_SIZE)
        ]
        #: Gives the numbers of all patterns that occur in a text (UTF-8).
        self.matching: Callable[[bytes], list[int]] = (
            self._sets[0] if len(self._sets) == 1 else self._matching
        )

    def _matching(self, text: bytes) -> list[int]:
        found: list[int] = []
        for position, matching in enumerate(self._sets):
            found += [number + position * SET_SIZE for number in matching(text)]
        return found

    def _add(self, matcher: Matcher) -> None:
        if isinstance(matcher, EventMatcher):
            source = EventSource(matcher.source.value)
            where, refused = tuple(matcher.where.items()), _REFUSED[matcher.ok]
            self.events[matcher.path] = Logged(matcher, source, where, refused)
            return
        unless = self._intern(matcher.unless) if matcher.unless is not None else -1
        number = self._intern(matcher.pattern)
        excuse = self._excuse(matcher)
        self.readers[matcher.path] = (
            number,
            Reader(matcher, frozenset(matcher.by), unless, excuse),
        )
        self._read_by(matcher.by, number)

    def _excuse(self, matcher: TextMatcher | AskMatcher) -> int:
        """Have the turns of the answering roles read for words that are no answer."""
        if not isinstance(matcher, AskMatcher) or matcher.answer_unless is None:
            return -1
        number = self._intern(matcher.answer_unless)
        self._read_by(matcher.answer_by, number)
        return number

    def _intern(self, pattern: str) -> int:
        if pattern not in self._numbers:
            self._numbers[pattern] = len(self._numbers)
        return self._numbers[pattern]

    def _read_by(self, roles: Iterable[str], number: int) -> None:
        for role in roles:
            self.read_by.setdefault(role, set()).add(number)


@lru_cache(maxsize=1_024)
def grouped(pattern: str) -> Any:
    """Compile a pattern with its groups, for a fact whose value is cut out of one."""
    options = re2.Options()
    options.max_mem = MAX_MEMORY
    return re2.compile(pattern.encode("utf-8"), options)


def matchers_of(document: Document) -> Iterator[Matcher]:
    """Walk every matcher of a document in document order."""
    for phase in document.phases:
        yield from phase.starts
        for item in phase.accept:
            yield from item.match
            yield from item.ack
        yield from phase.ack
        yield from phase.contradicts
    for fact in document.facts.values():
        yield from fact.true_if
        if fact.value is not None:
            yield fact.value


def _first_span(pattern: Any) -> Callable[[bytes], tuple[int, int]]:
    """Return what finds the first span of a pattern in a text that has one ((-1, -1) without).

    It asks the binding below re2's own wrapper, whose generator, match object and count of groups
    cost more than the search itself; a test holds the two equal.
    """
    match, anywhere = pattern._regexp.Match, RE2.Anchor.UNANCHORED

    def find(text: bytes) -> tuple[int, int]:
        span: tuple[int, int] = match(anywhere, text, 0, len(text))[0]
        return span

    return find


def matching_of(patterns: list[str], options: re2.Options) -> Callable[[bytes], list[int]]:
    """Return what finds the numbers of all of these patterns that occur in a text; it asks the
    binding, as `_first_span` does.
    """
    compiled = re2.Set.SearchSet(options)
    for pattern in patterns:
        compiled.Add(pattern.encode("utf-8"))
    compiled.Compile()
    matching: Callable[[bytes], list[int]] = compiled._set.Match
    return matching
