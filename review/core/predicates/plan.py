"""What the predicates need of a catalog, resolved once: phases in requirement order and the
critical edges.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from catalogs.core.document.model import Document, Phase, Precedence, RequiredKind, Scope
from catalogs.core.requirements.expression import Expression, free_facts, free_phases
from review.core.predicates.codes import Code


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


@dataclass(frozen=True)
class EdgeRule:
    """One critical edge. `same_turn` is the child's policy `<=`; `when` None binds always."""

    parent: str
    child: str
    same_turn: bool
    per_item: bool
    when: Expression | None = None

    @cached_property
    def plain(self) -> bool:
        """Whether the edge always binds and compares the call as a whole."""
        return not self.per_item and self.when is None


class Required(NamedTuple):
    """Whether a phase is owed: True, False or None (unknown), with its code and, if blocked, the
    phase that blocks.
    """

    owed: bool | None
    code: Code
    blocked_by: str | None = None


ALWAYS = Required(True, Code.PASSED)
OPTIONAL = Required(False, Code.NOT_REQUIRED)


@dataclass(frozen=True)
class Plan:
    """All that decides. `phases` are in document order; `order` names them so that a requirement
    comes after its reads.

    `fact_phases` says which phase yields a fact. What every call asks of a plan is worked out once
    (which is why it has no slots).
    """

    phases: tuple[PhaseRule, ...]
    order: tuple[PhaseRule, ...]
    edges: tuple[EdgeRule, ...]
    fact_phases: dict[str, str]

    @cached_property
    def may_volunteer(self) -> dict[str, bool]:
        """By phase, whether content before its start counts."""
        return {rule.id: rule.may_volunteer for rule in self.phases}

    @cached_property
    def per_item(self) -> bool:
        """Whether any phase is owed per item."""
        return any(rule.per_item for rule in self.phases) or any(e.per_item for e in self.edges)

    @cached_property
    def conditional(self) -> tuple[PhaseRule, ...]:
        """The phases whose requirement depends on the call, in the order of their reads."""
        return tuple(rule for rule in self.order if rule.when is not None or rule.per_item)

    @cached_property
    def reads(self) -> Mapping[str, tuple[str, ...]]:
        """By phase whose requirement depends on the call, the phases that it reads."""
        return {
            rule.id: tuple(dict.fromkeys([phase for phase, _ in free_phases(rule.when)]))
            for rule in self.order
            if rule.when is not None
        }

    @cached_property
    def fixed(self) -> Mapping[str, Required]:
        """What is owed whatever the call says: the phases that are always owed, or never."""
        return {
            rule.id: ALWAYS if rule.always else OPTIONAL
            for rule in self.order
            if rule.when is None and not rule.per_item
        }


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
