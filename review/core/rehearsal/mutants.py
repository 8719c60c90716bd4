"""Small wrong changes of a catalog, each of which its tests and sentences should notice.

A mutant is the document with one rule taken out or turned round, made ready to judge calls. No
mutant has a pattern that the document has not, so the compiled ones serve all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, replace
from typing import NamedTuple

from catalogs.core.document import (
    AskMatcher,
    Document,
    Fact,
    Matcher,
    Phase,
    Required,
    RequiredKind,
    TextMatcher,
)
from catalogs.core.requirements import Expression, Not, render
from review.core.cascade.pipeline import Cascade, prepare
from review.core.evidence.patterns import PatternTable, Reader
from review.core.rehearsal.hearing import Heard

Spoken = TextMatcher | AskMatcher


class _Change(NamedTuple):
    """A matcher without one role, or (role None) without its exemption."""

    matcher: Spoken
    role: str | None


@dataclass(frozen=True, slots=True)
class Mutant:
    """One wrong change: what kind, where, in words; how to make it; the phase whose rules changed.

    `phase` is None where the rules of every phase alone stay as they are. `heard` is the matcher
    that changed, `silenced` its place and the role that it no longer hears: calls in which it never
    did come out as before.
    """

    kind: str
    where: str
    text: str
    make: Callable[[Cascade], Cascade]
    phase: Phase | None = None
    heard: Spoken | None = None
    silenced: Heard | None = None


def mutants_of(document: Document) -> Iterator[Mutant]:
    """Yield every mutant of a document, phase by phase."""
    for phase in document.phases:
        yield from _of_matchers(document, phase)
        yield from _of_items(document, phase)
        yield from _of_policy(document, phase)
    for fact in document.facts.values():
        yield from _of_fact(document, fact)


def _of_matchers(document: Document, phase: Phase) -> Iterator[Mutant]:
    for matcher in _matchers(phase):
        for change in _changes(matcher):
            wrong = _with_matcher(phase, change.matcher)
            yield _mutant(change, _with_phase(document, wrong), wrong)


def _of_fact(document: Document, fact: Fact) -> Iterator[Mutant]:
    for matcher in (*fact.true_if, *([fact.value] if fact.value else [])):
        for change in _changes(matcher):
            yield _mutant(change, _with_fact(document, fact, change.matcher), None)


def _mutant(change: _Change, document: Document, phase: Phase | None) -> Mutant:
    heard, path = change.matcher, change.matcher.path
    kind, key, text = "unless", "unless", "without its exemption"
    if change.role is not None:
        kind, key, text = "role", "by", f"without the role {change.role}"
    return Mutant(
        kind=kind,
        where=f"{path}.{key}",
        text=text,
        make=lambda base: reworked(base, document, heard),
        phase=phase,
        heard=heard,
        silenced=None if change.role is None else (path, change.role),
    )


def _changes(matcher: Matcher) -> Iterator[_Change]:
    """Yield a matcher on words without each of its roles, and without its exemption."""
    if not isinstance(matcher, TextMatcher | AskMatcher):
        return
    for role in matcher.by:
        fewer = tuple(one for one in matcher.by if one != role)
        yield _Change(replace(matcher, by=fewer), role)
    if matcher.unless is not None:
        yield _Change(replace(matcher, unless=None), None)
    if isinstance(matcher, AskMatcher) and matcher.answer_unless is not None:
        yield _Change(replace(matcher, answer_unless=None), None)


def _of_items(document: Document, phase: Phase) -> Iterator[Mutant]:
    """Drop each acceptance item; the only one of a phase is what the phase is."""
    if len(phase.accept) < 2:
        return
    for item in phase.accept:
        wrong = replace(phase, accept=tuple(one for one in phase.accept if one != item))
        where, text = f"{phase.id}.accept.{item.id}", f"without the acceptance item {item.id}"
        yield Mutant("item", where, text, _decided(_with_phase(document, wrong)), wrong)


def _of_policy(document: Document, phase: Phase) -> Iterator[Mutant]:
    if phase.ack_required:
        wrong = replace(phase, ack_required=False)
        where, text = f"{phase.id}.ack_required", "early content counts without acknowledgement"
        yield Mutant("acknowledgement", where, text, _decided(_with_phase(document, wrong)), wrong)
    owed, text = _flipped(phase.required)
    where = f"{phase.id}.required"
    other = _with_phase(document, replace(phase, required=owed))
    yield Mutant("requirement", where, text, _decided(other))
    for edge in phase.critical:
        kept = tuple(one for one in phase.critical if one != edge)
        where = f"{phase.id}.critical_parents.{edge.parent}"
        text = f"without the critical edge {edge.parent}→{phase.id}"
        other = _with_phase(document, replace(phase, critical=kept))
        yield Mutant("edge", where, text, _decided(other))
    if phase.critical:
        where, text = f"{phase.id}.precedence", "one turn may finish the parent and start the child"
        yield Mutant("precedence", where, text, _precedence_flipped(phase.id))


def _flipped(required: Required) -> tuple[Required, str]:
    if required.when is not None:
        node = required.when.node
        turned = node.operand if isinstance(node, Not) else Not(node)
        said = render(turned)
        return Required(RequiredKind.WHEN, Expression(said, turned)), f"required when {said}"
    if required.kind is RequiredKind.ALWAYS:
        return Required(RequiredKind.OPTIONAL), "optional instead of always"
    return Required(RequiredKind.ALWAYS), "always instead of optional"


def _precedence_flipped(child: str) -> Callable[[Cascade], Cascade]:
    """Turn the policy round where it decides, for lint would not let it stand in a document."""

    def make(base: Cascade) -> Cascade:
        edges = tuple(
            replace(edge, same_turn=not edge.same_turn) if edge.child == child else edge
            for edge in base.plan.edges
        )
        return replace(base, plan=replace(base.plan, edges=edges))

    return make


def _decided(document: Document) -> Callable[[Cascade], Cascade]:
    return lambda base: reworked(base, document)


def reworked(base: Cascade, document: Document, heard: Spoken | None = None) -> Cascade:
    """Return a cascade for a changed document with the compiled patterns of the one it came from.

    `heard` is the matcher that changed, where one did.
    """
    table = base.table if heard is None else _heard_otherwise(base.table, heard)
    return prepare(document, table)


def _heard_otherwise(table: PatternTable, matcher: Spoken) -> PatternTable:
    number, reader = table.readers[matcher.path]
    unless = -1 if matcher.unless is None else reader.unless
    excuse = reader.answer_unless if _excuses(matcher) else -1
    changed = Reader(matcher, frozenset(matcher.by), unless, excuse)
    other = copy(table)
    other.readers = {**table.readers, matcher.path: (number, changed)}
    return other


def _excuses(matcher: Spoken) -> bool:
    return isinstance(matcher, AskMatcher) and matcher.answer_unless is not None


def _matchers(phase: Phase) -> Iterator[Matcher]:
    yield from phase.starts
    for item in phase.accept:
        yield from (*item.match, *item.ack)
    yield from (*phase.ack, *phase.contradicts)


def _with_matcher(phase: Phase, changed: Matcher) -> Phase:
    def each(matchers: tuple[Matcher, ...]) -> tuple[Matcher, ...]:
        return tuple(changed if one.path == changed.path else one for one in matchers)

    return replace(
        phase,
        starts=each(phase.starts),
        accept=tuple(
            replace(item, match=each(item.match), ack=each(item.ack)) for item in phase.accept
        ),
        ack=each(phase.ack),
        contradicts=each(phase.contradicts),
    )


def _with_phase(document: Document, changed: Phase) -> Document:
    phases = tuple(changed if one.id == changed.id else one for one in document.phases)
    return replace(document, phases=phases)


def _with_fact(document: Document, fact: Fact, changed: Spoken) -> Document:
    true_if = tuple(changed if one.path == changed.path else one for one in fact.true_if)
    read = fact.value
    if read is not None and isinstance(changed, TextMatcher) and read.path == changed.path:
        read = changed
    facts = {**document.facts, fact.name: replace(fact, true_if=true_if, value=read)}
    return replace(document, facts=facts)
