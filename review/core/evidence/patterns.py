"""All patterns of one catalog version, compiled once: RE2 sets to find which hit, single patterns
for the spans.

A set holds at most 100 patterns and may use 64 MiB: on exhaustion RE2::Set answers "no match"
without an error, so it is given far more than any linted catalog needs (engine.md 5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import re2
from re2._re2 import RE2

from catalogs.core.document import AskMatcher, Document, EventMatcher, Matcher, TextMatcher
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
    """One event matcher as the scan uses it: where its events are written down, and the values that
    their arguments must have.
    """

    matcher: EventMatcher
    source: EventSource
    where: tuple[tuple[str, object], ...]


class PatternTable:
    """The compiled patterns of a document; by path, the matchers that read them and the events.

    `roles_of` says for each pattern number whose turns any matcher reads with it.
    """

    def __init__(self, document: Document) -> None:
        """Compile; raises re2.error for a pattern that RE2 refuses (the loader reports it as E401
        earlier).
        """
        self._numbers: dict[str, int] = {}
        self.readers: dict[str, tuple[int, Reader]] = {}
        self.roles_of: list[set[str]] = []
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
        self.roles = frozenset().union(*self.roles_of)
        self._sets = [
            _set_of(texts[at : at + SET_SIZE], options) for at in range(0, len(texts), SET_SIZE)
        ]
        #: Gives the numbers of all patterns that occur in a text (UTF-8); none may be None.
        self.matching: Callable[[bytes], list[int] | None] = (
            self._sets[0].Match if len(self._sets) == 1 else self._matching
        )

    def _matching(self, text: bytes) -> list[int]:
        found: list[int] = []
        for position, one in enumerate(self._sets):
            found.extend(number + position * SET_SIZE for number in one.Match(text) or ())
        return found

    def _add(self, matcher: Matcher) -> None:
        if isinstance(matcher, EventMatcher):
            source = EventSource(matcher.source.value)
            self.events[matcher.path] = Logged(matcher, source, tuple(matcher.where.items()))
            return
        unless = self._intern(matcher.unless) if matcher.unless is not None else -1
        number = self._intern(matcher.pattern)
        excuse = self._excuse(matcher)
        self.readers[matcher.path] = (
            number,
            Reader(matcher, frozenset(matcher.by), unless, excuse),
        )
        self.roles_of[number].update(matcher.by)

    def _excuse(self, matcher: TextMatcher | AskMatcher) -> int:
        """Have the turns of the answering roles read for words that are no answer."""
        if not isinstance(matcher, AskMatcher) or matcher.answer_unless is None:
            return -1
        number = self._intern(matcher.answer_unless)
        self.roles_of[number].update(matcher.answer_by)
        return number

    def _intern(self, pattern: str) -> int:
        if pattern not in self._numbers:
            self._numbers[pattern] = len(self._numbers)
            self.roles_of.append(set())
        return self._numbers[pattern]


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
        start, end = match(anywhere, text, 0, len(text))[0]
        return start, end

    return find


def _set_of(patterns: list[str], options: re2.Options) -> re2.Set:
    compiled = re2.Set.SearchSet(options)
    for pattern in patterns:
        compiled.Add(pattern.encode("utf-8"))
    compiled.Compile()
    return compiled
