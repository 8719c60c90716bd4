"""How large a step between two versions of a catalog is (domain 5.4): major, minor or patch.

1. Major: what can turn a verdict. A phase added that is owed or has a critical edge, a phase gone,
   what is owed, critical edges, precedence, acceptance items, finish, acknowledgement and
   volunteered policy, mode, `for_each`, the clock.
2. Minor: what can move a turn. Anchors and matchers, soft parents, facts, an optional phase added,
   and what is declared (inputs, speakers, events, `applies_to`).
3. Patch: everything else, which is text.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from enum import IntEnum

from catalogs.core.document import Document, Matcher, Phase, RequiredKind
from catalogs.core.requirements import Expression


class Bump(IntEnum):
    """A step between versions, the larger the graver. NONE: the number did not rise."""

    NONE = 0
    PATCH = 1
    MINOR = 2
    MAJOR = 3


def bump_needed(old: Document, new: Document) -> Bump:
    """Return the smallest step that the change from one document to the other allows."""
    before = {phase.id: phase for phase in old.phases}
    after = {phase.id: phase for phase in new.phases}
    steps = [_of_phase(before.get(name), after.get(name)) for name in {**before, **after}]
    if old.clock_exact is not new.clock_exact:
        steps.append(Bump.MAJOR)
    if _declared(old) != _declared(new):
        steps.append(Bump.MINOR)
    return max([Bump.PATCH, *steps])


def bump_given(old: Document, new: Document) -> Bump:
    """Return the step that the version numbers say."""
    before, after = _numbers(old), _numbers(new)
    if after <= before:
        return Bump.NONE
    if after[0] > before[0]:
        return Bump.MAJOR
    return Bump.MINOR if after[1] > before[1] else Bump.PATCH


def _numbers(document: Document) -> tuple[int, ...]:
    # A version of another shape (E107) counts as the first of all.
    parts = document.version.split(".")
    return tuple(int(part) for part in parts) if all(map(str.isdecimal, parts)) else (0, 0, 0)


def _of_phase(old: Phase | None, new: Phase | None) -> Bump:
    if new is None:
        return Bump.MAJOR
    if old is None:
        light = new.required.kind is RequiredKind.OPTIONAL and not new.critical
        return Bump.MINOR if light else Bump.MAJOR
    if decisive(old) != decisive(new):
        return Bump.MAJOR
    return Bump.MINOR if _movable(old) != _movable(new) else Bump.PATCH


def decisive(phase: Phase) -> Mapping[str, Hashable]:
    """Return what of a phase can turn a verdict, each under the name an author knows."""
    return {
        "required": (phase.required.kind, _node(phase.required.when)),
        "critical_parents": frozenset(
            (edge.parent, edge.scope, _node(edge.when)) for edge in phase.critical
        ),
        "precedence": (phase.precedence, phase.low_harm),
        "accept": frozenset((item.id, _node(item.when)) for item in phase.accept),
        "finish": phase.finish,
        "ack_required": phase.ack_required,
        # Without a policy early content counts, so writing that down turns nothing.
        "volunteered": phase.volunteered is None or phase.volunteered.accept,
        "mode": (phase.mode, phase.starts_on),
        "for_each": phase.for_each,
    }


def _node(expression: Expression | None) -> Hashable:
    return None if expression is None else expression.node


def _movable(phase: Phase) -> object:
    return (
        _words(phase.starts),
        {item.id: (_words(item.match), _words(item.ack)) for item in phase.accept},
        _words(phase.ack),
        _words(phase.contradicts),
        set(phase.parents),
        set(phase.facts),
        phase.graded_tau,
    )


def _words(matchers: tuple[Matcher, ...]) -> list[Matcher]:
    """Return matchers without their places, which move when a neighbour comes or goes."""
    return [replace(matcher, path="") for matcher in matchers]


def _declared(document: Document) -> object:
    facts = {
        name: replace(
            fact,
            meaning="",
            true_if=tuple(_words(fact.true_if)),
            value=None if fact.value is None else replace(fact.value, path=""),
        )
        for name, fact in document.facts.items()
    }
    return (
        facts,
        document.inputs,
        set(document.speakers),
        document.events,
        document.languages,
        None if document.applies_to is None else document.applies_to.node,
    )
