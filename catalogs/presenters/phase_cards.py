"""Phase cards: what a phase asks for, in the words of its catalog; each prints on its own page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from catalogs.core.document import (
    AcceptItem,
    Document,
    FinishRule,
    Matcher,
    Mode,
    Phase,
    RequiredKind,
    StartsOn,
)
from catalogs.core.requirements import free_facts
from catalogs.presenters.matchers import ShownMatcher, show_matcher
from catalogs.presenters.order import OrderEdge
from catalogs.presenters.requirements import condition_words, duty_sentence, items_words
from catalogs.presenters.sources import ShownSource, show_sources

_MODES = {
    Mode.PROCEDURAL: "What is said counts only as an answer to the question.",
    Mode.INFORMATIONAL: "Nothing need be asked: it is enough that it is said.",
}
_ENTRIES = {
    StartsOn.ASK: "The question enters the phase.",
    StartsOn.ANSWER: "The answer enters the phase, not the question.",
}


@dataclass(frozen=True, slots=True)
class Item:
    """One acceptance item. `when` is its condition in words, empty for always."""

    id: str
    text: str
    when: str
    matchers: tuple[ShownMatcher, ...]
    acknowledged: tuple[ShownMatcher, ...]


@dataclass(frozen=True, slots=True)
class MatcherList:
    """A named list of matchers that belongs to no item."""

    name: str
    matchers: tuple[ShownMatcher, ...]


@dataclass(frozen=True, slots=True)
class CriticalRule:
    """A critical edge at this phase, from either end. `rule` says what must come before what."""

    other: str
    rule: str
    rationale: str
    sources: tuple[ShownSource, ...]


@dataclass(frozen=True, slots=True)
class YieldedFact:
    """Something that a phase yields, or that its condition reads."""

    name: str
    meaning: str
    phase: str


@dataclass(frozen=True, slots=True)
class PhaseCard:
    """One phase. `reads` are the facts in its condition, `condition` that condition as written."""

    id: str
    name: str
    intent: str
    is_optional: bool
    duty: str
    condition: str
    reads: tuple[YieldedFact, ...]
    items: tuple[Item, ...]
    any_item: bool
    policies: tuple[str, ...]
    starts: MatcherList
    other_matchers: tuple[MatcherList, ...]
    passing: tuple[str, ...]
    failing: tuple[str, ...]
    counterexamples: tuple[str, ...]
    facts: tuple[YieldedFact, ...]
    sources: tuple[ShownSource, ...]
    parents: tuple[str, ...]
    children: tuple[str, ...]
    critical_in: tuple[CriticalRule, ...]
    critical_out: tuple[CriticalRule, ...]
    note: str


def show_phases(document: Document, edges: Sequence[OrderEdge]) -> tuple[PhaseCard, ...]:
    """Draw every phase in the catalog's order."""
    return tuple(_card(phase, document, edges) for phase in document.phases)


def critical_rule(edge: OrderEdge, document: Document) -> str:
    """Say what a critical edge demands, with what narrows it."""
    child = document.phase(edge.child)
    words = f"{edge.parent} finishes before {edge.child} starts ({child.precedence.value})"
    if edge.critical is None:
        return words
    each = "for each item" if edge.critical.scope.value == "item" else "over the whole call"
    when = f", when {condition_words(edge.critical.when)}" if edge.critical.when else ""
    return f"{words}, {each}{when}"


def _card(phase: Phase, document: Document, edges: Sequence[OrderEdge]) -> PhaseCard:
    when = phase.required.when
    into = [edge for edge in edges if edge.child == phase.id]
    out = [edge for edge in edges if edge.parent == phase.id]
    return PhaseCard(
        id=phase.id,
        name=phase.name,
        intent=phase.intent,
        is_optional=phase.required.kind is RequiredKind.OPTIONAL,
        duty=duty_sentence(phase),
        condition=when.source if when else "",
        reads=_facts(free_facts(when) if when else (), document),
        items=tuple(_item(item) for item in phase.accept),
        any_item=phase.finish is FinishRule.ANY,
        policies=tuple(_policies(phase)),
        starts=MatcherList("Starts the phase", _shown(phase.starts)),
        other_matchers=tuple(
            MatcherList(name, _shown(matchers))
            for name, matchers in (
                ("Takes up what was said before", phase.ack),
                ("Revokes the phase", phase.contradicts),
            )
            if matchers
        ),
        passing=phase.rubric.passing,
        failing=phase.rubric.failing,
        counterexamples=phase.counterexamples,
        facts=_facts(phase.facts, document),
        sources=show_sources(phase.basis, document),
        parents=tuple(edge.parent for edge in into),
        children=tuple(edge.child for edge in out),
        critical_in=tuple(_rule(edge, edge.parent, document) for edge in into if edge.critical),
        critical_out=tuple(_rule(edge, edge.child, document) for edge in out if edge.critical),
        note=phase.note or "",
    )


def _item(item: AcceptItem) -> Item:
    return Item(
        id=item.id,
        text=item.text,
        when=condition_words(item.when) if item.when else "",
        matchers=_shown(item.match),
        acknowledged=_shown(item.ack),
    )


def _shown(matchers: Sequence[Matcher]) -> tuple[ShownMatcher, ...]:
    return tuple(show_matcher(matcher) for matcher in matchers)


def _facts(names: Sequence[str], document: Document) -> tuple[YieldedFact, ...]:
    return tuple(
        YieldedFact(name, document.facts[name].meaning, document.facts[name].source)
        for name in names
        if name in document.facts
    )


def _rule(edge: OrderEdge, other: str, document: Document) -> CriticalRule:
    rule = edge.critical
    return CriticalRule(
        other=other,
        rule=critical_rule(edge, document),
        rationale=rule.rationale if rule else "",
        sources=show_sources(rule.sources if rule else (), document),
    )


def _policies(phase: Phase) -> Iterator[str]:
    if phase.for_each is not None:
        yield f"Done {items_words(phase)}: each item has its own start and finish."
    if phase.mode in _MODES:
        yield _MODES[phase.mode]
    if phase.starts_on in _ENTRIES:
        yield _ENTRIES[phase.starts_on]
    if phase.volunteered is not None:
        verb = "counts" if phase.volunteered.accept else "does not count"
        yield f"What is said before the phase was entered {verb}: {phase.volunteered.rationale}"
    if phase.ack_required:
        yield "What is said before the phase was entered counts from the turn that takes it up."
    if phase.low_harm:
        yield "A start too early does little harm."
    if phase.graded_tau is not None:
        yield f"The share of items met (from {phase.graded_tau}) is a figure and never decides."
    if phase.replaces:
        yield f"Replaces {phase.replaces}."
