"""What a stricter phase does to the conditions that read it.

`B` owed `when: A passed` is owed less often once `A` passes less often: a call that failed for want
of `B` would pass. Where that can happen, asking more of `A` is a weakening of `B` (E610).

1. A phase of which more is asked passes and finishes less often, and fails or starts more often.
2. A phase that becomes the parent of a critical edge is a gate: claims of the audited agent no
   longer finish it, so more is asked of it as well.
3. A requirement may read a phase that is always owed: where that one fails, the call fails anyway.
   The condition of a critical edge may not: Coverage does not stand in for OrderSafe.
4. A fact of a phase is unknown until it has passed, so reading one is like reading both ways. It is
   looked for from the start or finish on: a phase that passes later may yield another value, so
   that it is always owed is no help here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple, assert_never

from catalogs.core.document import Document, EventMatcher, Phase, RequiredKind
from catalogs.core.requirements import Expression
from catalogs.core.requirements.expression import (
    And,
    Comparison,
    Constant,
    FactName,
    Node,
    Not,
    Or,
    PhaseAtom,
    PhaseState,
    Truth,
)

_RARER = frozenset({PhaseState.PASSED, PhaseState.FINISHED})


class Loosened(NamedTuple):
    """A condition that holds less often: the phase that is read, and what stands on the condition,
    in words. `helps_always` says whether it may once the phase is always owed.
    """

    phase: str
    text: str
    helps_always: bool = False


class _Read(NamedTuple):
    phase: str
    is_fact: bool


def hears_less_as_gate(phase: Phase, base: Document) -> bool:
    """Say whether a phase finishes less often once it is a gate: where the audited agent's own
    events show an item, and where content that came early must be taken up (cascade.rules).
    """
    own = {name for name, spec in base.events.items() if spec.self_reported}
    matchers = [matcher for item in phase.accept for matcher in item.match]
    reported = any(isinstance(one, EventMatcher) and one.name in own for one in matchers)
    return reported or phase.ack_required


def loosened(base: Document, merged: Document, stricter: Collection[str]) -> Iterator[Loosened]:
    """Yield the conditions of the base that hold less often once more is asked of these phases."""
    after = {phase.id: phase for phase in merged.phases}
    always = {one.id for one in merged.phases if one.required.kind is RequiredKind.ALWAYS}
    sources = {name: fact.source for name, fact in base.facts.items()}
    for phase in base.phases:
        required = after[phase.id].required
        if required.when is not None:
            for read, by_fact in _rarer(required.when, sources, stricter).items():
                if by_fact or read not in always:
                    yield Loosened(read, f"{phase.id} would be owed less often", not by_fact)
        for edge in phase.critical:
            own = next(one for one in after[phase.id].critical if one.parent == edge.parent)
            if own.when is not None:
                for read in _rarer(own.when, sources, stricter):
                    text = f"the critical edge {edge.parent}→{phase.id} would bind less often"
                    yield Loosened(read, text)


def _rarer(
    expression: Expression, sources: dict[str, str], stricter: Collection[str]
) -> dict[str, bool]:
    """Return the stricter phases that make a condition true less often, each with whether it is by
    a fact of it.
    """
    found: dict[str, bool] = {}
    for read in _reads(expression.node, sources, positive=True):
        if read.phase in stricter:
            found[read.phase] = found.get(read.phase, False) or read.is_fact
    return found


def _reads(node: Node, sources: dict[str, str], *, positive: bool) -> Iterator[_Read]:
    """Yield the phases whose being stricter can turn the condition from true to false."""
    match node:
        case Constant():
            return
        case PhaseAtom(phase_id, state):
            # Being owed is not touched by what is asked of it.
            if state is not PhaseState.REQUIRED and positive is (state in _RARER):
                yield _Read(phase_id, is_fact=False)
        case Truth(name) | Comparison(name):
            if isinstance(name, FactName) and name.name in sources:
                yield _Read(sources[name.name], is_fact=True)
        case Not(operand):
            yield from _reads(operand, sources, positive=not positive)
        case And(operands) | Or(operands):
            for operand in operands:
                yield from _reads(operand, sources, positive=positive)
        case _:
            assert_never(node)


def owed_more(base: Document, merged: Document, phases: Collection[str]) -> Iterator[Loosened]:
    """Yield the conditions of the base that deny that one of these phases is owed: they hold less
    often once it is owed always.
    """
    for phase in base.phases:
        conditions = [phase.required.when, *(edge.when for edge in phase.critical)]
        for when in conditions:
            if when is not None:
                for read in _denied(when.node, positive=True):
                    if read in phases:
                        yield Loosened(read, f"a condition of {phase.id} would hold less often")


def _denied(node: Node, *, positive: bool) -> Iterator[str]:
    match node:
        case PhaseAtom(phase_id, PhaseState.REQUIRED):
            if not positive:
                yield phase_id
        case Not(operand):
            yield from _denied(operand, positive=not positive)
        case And(operands) | Or(operands):
            for operand in operands:
                yield from _denied(operand, positive=positive)
        case _:
            return
