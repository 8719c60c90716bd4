"""When a phase is owed, in words a reader of the catalog need not learn a grammar for."""

from __future__ import annotations

from typing import assert_never

from catalogs.core.document import ListKey, Phase, RequiredKind, ToolKey
from catalogs.core.requirements import (
    And,
    Comparison,
    Constant,
    Expression,
    Node,
    Not,
    Operator,
    Or,
    PhaseAtom,
    Truth,
)

_COMPARED = {
    Operator.EQUAL: "is",
    Operator.UNEQUAL: "is not",
    Operator.LESS: "is less than",
    Operator.MORE: "is more than",
    Operator.AT_MOST: "is at most",
    Operator.AT_LEAST: "is at least",
    Operator.IN: "is one of",
}


def duty_words(phase: Phase) -> str:
    """Say in a word or two when a phase is owed, for a drawing.

    Conditions stand as their author wrote them.
    """
    if phase.required.kind is RequiredKind.WHEN and phase.required.when is not None:
        return f"if {phase.required.when.source}"
    return phase.required.kind.value


def duty_sentence(phase: Phase) -> str:
    """Say in a sentence when a phase is owed."""
    if phase.required.kind is RequiredKind.ALWAYS:
        return "Owed in every call."
    if phase.required.kind is RequiredKind.OPTIONAL or phase.required.when is None:
        return "Never owed; where it is done, the order still holds for it."
    return f"Owed when {condition_words(phase.required.when)}."


def items_words(phase: Phase) -> str:
    """Say what a phase is done once for each of, empty for once in a call."""
    match phase.for_each:
        case None:
            return ""
        case ListKey(attribute):
            return f"per {attribute}"
        case ToolKey(tools):
            return f"per {' or '.join(tools)}"


def condition_words(condition: Expression) -> str:
    """Write a condition in words.

    >>> from catalogs.core.requirements import parse
    >>> condition_words(parse("DRC passed and not restrictions"))
    'DRC has passed and restrictions is not true'
    """
    return _words(condition.node)


def _words(node: Node) -> str:
    match node:
        case Constant(value):
            return "always" if value else "never"
        case PhaseAtom(phase_id, state):
            return f"{phase_id} {'is' if state.value == 'required' else 'has'} {state.value}"
        case Truth(name):
            return f"{name} is true"
        case Comparison(name, operator, literals):
            return f"{name} {_COMPARED[operator]} {', '.join(_literal(one) for one in literals)}"
        case Not(operand):
            return _denied(operand)
        case And(operands):
            return " and ".join(_grouped(one) for one in operands)
        case Or(operands):
            return " or ".join(_grouped(one) for one in operands)
        case _:
            assert_never(node)


def _denied(node: Node) -> str:
    match node:
        case PhaseAtom(phase_id, state):
            return f"{phase_id} {'is' if state.value == 'required' else 'has'} not {state.value}"
        case Truth(name):
            return f"{name} is not true"
        case _:
            return f"it is not so that {_grouped(node)}"


def _grouped(node: Node) -> str:
    return f"({_words(node)})" if isinstance(node, And | Or) else _words(node)


def _literal(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
