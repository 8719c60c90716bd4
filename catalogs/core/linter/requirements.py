"""Rules about requirement expressions and the facts they read."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from catalogs.core.document import Document, RequiredKind
from catalogs.core.findings import Finding, error, warning
from catalogs.core.graph import cycle_in_words, cycles, order_graph, reachable, requirement_graph
from catalogs.core.requirements import (
    Expression,
    PhaseState,
    evaluate,
    free_attributes,
    free_facts,
    free_phases,
    has_comparison,
)

_MOST_ATOMS = 8  # 256 assignments; beyond that a constant is not worth the search


class _Condition(NamedTuple):
    where: str
    expression: Expression


def _conditions(document: Document) -> Iterator[_Condition]:
    """Yield the expressions that may read phases and facts."""
    for phase in document.phases:
        if phase.required.when is not None:
            yield _Condition(f"{phase.id}.required.when", phase.required.when)
        for edge in phase.critical:
            if edge.when is not None:
                where = f"{phase.id}.critical_parents.{edge.parent}.when"
                yield _Condition(where, edge.when)


def _item_conditions(document: Document) -> Iterator[_Condition]:
    for phase in document.phases:
        for item in phase.accept:
            if item.when is not None:
                yield _Condition(f"{phase.id}.accept.{item.id}.when", item.when)


def unknown_name(document: Document) -> Iterator[Finding]:
    """E302: an expression, or a phase's list of facts, that names what is not declared."""
    for condition in _conditions(document):
        yield from _unknown(document, condition)
    if document.applies_to is not None:
        yield from _unknown_in_applies_to(document, document.applies_to)
    for phase in document.phases:
        for name in phase.facts:
            if name not in document.facts:
                where = f"{phase.id}.facts"
                said = f"unknown fact {name!r}; declare it under facts or correct it"
                yield error("E302", where, said, document.line(where))


def _unknown(document: Document, condition: _Condition) -> Iterator[Finding]:
    known = {phase.id for phase in document.phases}
    said = [
        f"unknown phase {phase!r}; name a phase of this catalog"
        for phase in dict.fromkeys(name for name, _ in free_phases(condition.expression))
        if phase not in known
    ]
    said += [
        f"unknown fact {name!r}; declare it under facts, or write call.{name} for an input"
        for name in free_facts(condition.expression)
        if name not in document.facts
    ]
    said += _unknown_inputs(document, condition.expression)
    for sentence in said:
        yield error("E302", condition.where, sentence, document.line(condition.where))


def _unknown_inputs(document: Document, expression: Expression) -> list[str]:
    return [
        f"unknown input 'call.{name}'; declare it under inputs or correct it"
        for name in free_attributes(expression)
        if name not in document.inputs
    ]


def _unknown_in_applies_to(document: Document, expression: Expression) -> Iterator[Finding]:
    said = _unknown_inputs(document, expression)
    read = [phase for phase, _ in free_phases(expression)] + list(free_facts(expression))
    said += [
        f"{name!r} is not known before a catalog is chosen; use call attributes only"
        for name in dict.fromkeys(read)
    ]
    for sentence in said:
        yield error("E302", "applies_to", sentence, document.line("applies_to"))


def cycle(document: Document) -> Iterator[Finding]:
    """E303: requirements that read each other."""
    for found in cycles(requirement_graph(document)):
        where = f"{found[0]}.required.when"
        said = f"the requirements read each other, {cycle_in_words(found)}; cut one of them"
        yield error("E303", where, said, document.line(where))


def fact_from_nowhere(document: Document) -> Iterator[Finding]:
    """E304: a fact whose phase does not exist."""
    known = {phase.id for phase in document.phases}
    for fact in document.facts.values():
        if fact.source not in known:
            where = f"facts.{fact.name}.from"
            said = f"no phase {fact.source!r} yields this fact; name a phase of this catalog"
            yield error("E304", where, said, document.line(where))


def deciding_fact_may_be_unknown(document: Document) -> Iterator[Finding]:
    """W305: a fact decides a requirement, and nobody is asked when it is unknown."""
    for phase in document.phases:
        when = phase.required.when
        for name in free_facts(when) if when is not None else ():
            if name in document.facts and not document.facts[name].review_unknown:
                where = f"facts.{name}.unknown"
                said = f"{name} decides whether {phase.id} is required; set unknown: review"
                yield warning("W305", where, said, document.line(where))


def reads_later_phase(document: Document) -> Iterator[Finding]:
    """W306: a requirement that reads the outcome of a phase ordered after it."""
    graph = order_graph(document)
    outcomes = (PhaseState.PASSED, PhaseState.FAILED)
    for phase in document.phases:
        later = reachable(graph, phase.id)
        for read, state in free_phases(phase.required.when) if phase.required.when else ():
            if state in outcomes and read in later:
                where = f"{phase.id}.required.when"
                said = f"reads the outcome of {read}, which comes later; use '{read} started'"
                yield warning("W306", where, said, document.line(where))


def constant(document: Document) -> Iterator[Finding]:
    """W307: a requirement that is true, or false, whatever happens."""
    for phase in document.phases:
        when = phase.required.when
        value = None if when is None else _constant_value(when)
        if value is not None:
            where = f"{phase.id}.required.when"
            plain = "always" if value else "optional"
            said = f"this condition is {str(value).lower()} on every call; write {plain} instead"
            yield warning("W307", where, said, document.line(where))


def _constant_value(expression: Expression) -> bool | None:
    phases = free_phases(expression)
    names = [*free_facts(expression), *(f"call.{name}" for name in free_attributes(expression))]
    if has_comparison(expression) or len(phases) + len(names) > _MOST_ATOMS:
        return None
    values = set()
    for bits in itertools.product((False, True), repeat=len(phases) + len(names)):
        states = dict(zip(phases, bits, strict=False))
        facts = dict(zip(names, bits[len(phases) :], strict=True))
        values.add(_under(expression, states, facts))
    return values.pop() if len(values) == 1 else None


def _under(
    expression: Expression, states: dict[tuple[str, PhaseState], bool], facts: dict[str, bool]
) -> bool | None:
    return evaluate(
        expression,
        phase_state=lambda phase, state: states[(phase, state)],
        fact=lambda name: facts[name],
        attribute=lambda name: facts[f"call.{name}"],
    )


def nothing_always_required(document: Document) -> Iterator[Finding]:
    """E308: an empty call would owe nothing."""
    if all(phase.required.kind is not RequiredKind.ALWAYS for phase in document.phases):
        said = "no phase is always required, so an empty call owes nothing; require one"
        yield error("E308", "phases", said, document.line("phases"))


def unused_fact(document: Document) -> Iterator[Finding]:
    """W309: a fact that its phase does not list and no condition reads."""
    read = {
        name for condition in _conditions(document) for name in free_facts(condition.expression)
    }
    listed = {(phase.id, name) for phase in document.phases for name in phase.facts}
    for fact in document.facts.values():
        if fact.name not in read and (fact.source, fact.name) not in listed:
            where = f"facts.{fact.name}"
            said = f"nothing uses this fact; list it under the facts of {fact.source} or drop it"
            yield warning("W309", where, said, document.line(where))


def item_depends_on_phase(document: Document) -> Iterator[Finding]:
    """E310: an accept item that depends on anything but declared call attributes."""
    for condition in _item_conditions(document):
        read = [phase for phase, _ in free_phases(condition.expression)]
        read += free_facts(condition.expression)
        unknown = [f"call.{name}" for name in free_attributes(condition.expression)]
        read += [name for name in unknown if name.removeprefix("call.") not in document.inputs]
        for name in dict.fromkeys(read):
            said = f"an item may depend on declared call attributes only, not on {name!r}"
            yield error("E310", condition.where, said, document.line(condition.where))
