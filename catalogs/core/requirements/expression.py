"""The parsed form of a requirement expression, what it reads, and its text again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import assert_never

Scalar = str | int | Decimal | bool | date | None
"""A value of a fact or a call attribute. None is absent; there are no floats."""

Literal = str | int | Decimal | bool


class PhaseState(Enum):
    """What an expression may ask about a phase."""

    PASSED = "passed"
    FAILED = "failed"
    STARTED = "started"
    FINISHED = "finished"
    REQUIRED = "required"


class Operator(Enum):
    """How a value is compared."""

    EQUAL = "="
    UNEQUAL = "!="
    LESS = "<"
    MORE = ">"
    AT_MOST = "<="
    AT_LEAST = ">="
    IN = "in"


@dataclass(frozen=True, slots=True)
class FactName:
    """The name of a fact that a phase yields."""

    name: str

    def __str__(self) -> str:
        """Return the name as an author writes it."""
        return self.name


@dataclass(frozen=True, slots=True)
class AttributeName:
    """The name of a call attribute, without the `call.` that an author writes before it."""

    name: str

    def __str__(self) -> str:
        """Return the name as an author writes it."""
        return f"call.{self.name}"


Name = FactName | AttributeName


@dataclass(frozen=True, slots=True)
class Constant:
    """`true` or `false`."""

    value: bool


@dataclass(frozen=True, slots=True)
class PhaseAtom:
    """`DRC passed`."""

    phase_id: str
    state: PhaseState


@dataclass(frozen=True, slots=True)
class Truth:
    """A fact or attribute standing alone: true if its value is true."""

    name: Name


@dataclass(frozen=True, slots=True)
class Comparison:
    """`call.kind = 'ai'`; `literals` holds one value, or the list of an `in`."""

    name: Name
    operator: Operator
    literals: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """Negation."""

    operand: Node


@dataclass(frozen=True, slots=True)
class And:
    """Conjunction of two or more operands (flat, so that a long chain costs no depth)."""

    operands: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Disjunction of two or more operands."""

    operands: tuple[Node, ...]


Atom = PhaseAtom | Truth | Comparison
Node = Constant | PhaseAtom | Truth | Comparison | Not | And | Or


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed expression with the text it came from."""

    source: str
    node: Node


def atoms(node: Node) -> Iterator[Atom]:
    """Yield everything that reads a phase, a fact or an attribute, from left to right."""
    match node:
        case Constant():
            return
        case PhaseAtom() | Truth() | Comparison():
            yield node
        case Not(operand):
            yield from atoms(operand)
        case And(operands) | Or(operands):
            for operand in operands:
                yield from atoms(operand)
        case _:
            assert_never(node)


def free_phases(expression: Expression) -> tuple[tuple[str, PhaseState], ...]:
    """Return the (phase id, state) pairs that are read, each once, in order of appearance."""
    found = [
        (atom.phase_id, atom.state)
        for atom in atoms(expression.node)
        if isinstance(atom, PhaseAtom)
    ]
    return tuple(dict.fromkeys(found))


def free_facts(expression: Expression) -> tuple[str, ...]:
    """Return the names of the facts that are read, each once, in order of appearance."""
    return tuple(
        dict.fromkeys(name.name for name in _names(expression) if isinstance(name, FactName))
    )


def free_attributes(expression: Expression) -> tuple[str, ...]:
    """Return the call attributes that are read, without `call.`, each once, in their order."""
    return tuple(
        dict.fromkeys(name.name for name in _names(expression) if isinstance(name, AttributeName))
    )


def has_comparison(expression: Expression) -> bool:
    """Say whether any value is compared, so that its atoms are no independent answers."""
    return any(isinstance(atom, Comparison) for atom in atoms(expression.node))


def _names(expression: Expression) -> Iterator[Name]:
    for atom in atoms(expression.node):
        if not isinstance(atom, PhaseAtom):
            yield atom.name


def render(node: Node) -> str:
    """Write a node as text that parses to the same node.

    >>> render(Not(Truth(FactName("restrictions"))))
    'not restrictions'
    """
    match node:
        case Constant(value):
            return "true" if value else "false"
        case PhaseAtom(phase_id, state):
            return f"{phase_id} {state.value}"
        case Truth(name):
            return str(name)
        case Comparison():
            return _render_comparison(node)
        case Not(operand):
            return f"not {_grouped(operand)}"
        case And(operands):
            return " and ".join(_grouped(operand) for operand in operands)
        case Or(operands):
            return " or ".join(_grouped(operand) for operand in operands)
        case _:
            assert_never(node)


def _grouped(node: Node) -> str:
    text = render(node)
    return f"({text})" if isinstance(node, And | Or) else text


def _render_comparison(node: Comparison) -> str:
    values = ", ".join(render_literal(value) for value in node.literals)
    right = f"({values})" if node.operator is Operator.IN else values
    return f"{node.name} {node.operator.value} {right}"


def render_literal(value: Scalar) -> str:
    """Write a value the way an expression writes it; an absent value is `unknown`."""
    match value:
        case None:
            return "unknown"
        case bool():
            return "true" if value else "false"
        case str():
            return "'" + value.replace("'", "''") + "'"
        case Decimal():
            return format(value, "f")
        case int():
            return str(value)
        case date():
            return f"'{value.isoformat()}'"
        case _:
            assert_never(value)
