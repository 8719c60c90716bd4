"""Walking over the matchers and patterns of a catalog, for the rules that look at each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from catalogs.core.document import AskMatcher, Document, Matcher, Phase, TextMatcher


class Pattern(NamedTuple):
    """One pattern with its place in the author's words. `exempts`: it is an `unless`."""

    where: str
    text: str
    exempts: bool


def matchers_of(phase: Phase) -> Iterator[Matcher]:
    """Yield every matcher of a phase."""
    yield from phase.starts
    for item in phase.accept:
        yield from item.match
        yield from item.ack
    yield from phase.ack
    yield from phase.contradicts


def all_matchers(document: Document) -> Iterator[Matcher]:
    """Yield every matcher of the document, those of facts first, as an author meets them."""
    for fact in document.facts.values():
        yield from fact.true_if
        if fact.value is not None:
            yield fact.value
    for phase in document.phases:
        yield from matchers_of(phase)


def spoken_matchers(document: Document) -> Iterator[TextMatcher | AskMatcher]:
    """Yield every matcher that listens to words."""
    for matcher in all_matchers(document):
        if isinstance(matcher, TextMatcher | AskMatcher):
            yield matcher


def all_patterns(document: Document) -> Iterator[Pattern]:
    """Yield every pattern of the document."""
    for matcher in spoken_matchers(document):
        key = "re" if isinstance(matcher, TextMatcher) else "ask"
        yield Pattern(f"{matcher.path}.{key}", matcher.pattern, exempts=False)
        if matcher.unless is not None:
            yield Pattern(f"{matcher.path}.unless", matcher.unless, exempts=True)
        if isinstance(matcher, AskMatcher) and matcher.answer_unless is not None:
            yield Pattern(f"{matcher.path}.answer_unless", matcher.answer_unless, exempts=True)
