"""What the predicates need of a catalog, resolved once: phases in requirement order and the
critical edges.
"""

from __future__ import annotations

from dataclasses import dataclass

from catalogs.core.document import Document, Phase, Precedence, RequiredKind, Scope
from catalogs.core.requirements import Expression, free_facts, free_phases


@dataclass(frozen=True, slots=True)
class PhaseRule:
    """How one phase is owed. `when` is its requirement expression, or None with `always` True or
    False.

    `per_item` says that no instance at all means that nothing is owed. `may_volunteer` allows e <
    s.
    """

    id: str
    always: bool
    when: Expression | None
    may_volunteer: bool
    per_item: bool = False


@dataclass(frozen=True, slots=True)
class EdgeRule:
    """One critical edge. `same_turn` is the child's policy `<=`; `when` None binds always."""

    parent: str
    child: str
    same_turn: bool
    per_item: bool
    when: Expression | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """All that decides. `phases` are in document order; `order` names them so that a requirement
    comes after its reads.

    `fact_phases` says which phase yields a fact.
    """

    phases: tuple[PhaseRule, ...]
    order: tuple[PhaseRule, ...]
    edges: tuple[EdgeRule, ...]
    fact_phases: dict[str, str]


def plan_of(document: Document) -> Plan:
    """Build the plan of a loaded catalog. Raises ValueError on a requirement cycle (the loader
    refuses it earlier).
    """
    fact_phases = {fact.name: fact.source for fact in document.facts.values()}
    phases = tuple(_phase_rule(phase) for phase in document.phases)
    edges = tuple(
        EdgeRule(
            parent=edge.parent,
            child=phase.id,
            same_turn=_allows_same_turn(phase, document),
            per_item=edge.scope is Scope.ITEM and phase.for_each is not None,
            when=edge.when,
        )
        for phase in document.phases
        for edge in phase.critical
    )
    return Plan(phases, _requirement_order(phases, fact_phases), edges, fact_phases)


def _allows_same_turn(phase: Phase, document: Document) -> bool:
    """Take `<=` only where it is allowed: a low-harm child on a coarse clock (lint says E207)."""
    wanted = phase.precedence is Precedence.SAME_TURN
    return wanted and phase.low_harm and not document.clock_exact


def _phase_rule(phase: Phase) -> PhaseRule:
    return PhaseRule(
        id=phase.id,
        always=phase.required.kind is RequiredKind.ALWAYS,
        when=phase.required.when,
        may_volunteer=not phase.ack_required
        and (phase.volunteered is None or phase.volunteered.accept),
        per_item=phase.for_each is not None,
    )


def _requirement_order(
    phases: tuple[PhaseRule, ...], fact_phases: dict[str, str]
) -> tuple[PhaseRule, ...]:
    waiting = {rule.id: _reads(rule, fact_phases) for rule in phases}
    ordered: list[PhaseRule] = []
    while waiting:
        ready = [
            rule for rule in phases if rule.id in waiting and not waiting[rule.id] & waiting.keys()
        ]
        if not ready:
            raise ValueError(f"the requirements of {', '.join(waiting)} read each other in a cycle")
        for rule in ready:
            del waiting[rule.id]
        ordered.extend(ready)
    return tuple(ordered)


def _reads(rule: PhaseRule, fact_phases: dict[str, str]) -> set[str]:
    if rule.when is None:
        return set()
    named = {phase for phase, _ in free_phases(rule.when)}
    return named | {fact_phases[name] for name in free_facts(rule.when) if name in fact_phases}
