"""What an expression is worth on one call: True, False or None (unknown), and which readings
decided it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple, assert_never

from catalogs.core.requirements.expression import (
    And,
    Comparison,
    Constant,
    Expression,
    FactName,
    Literal,
    Name,
    Node,
    Not,
    Operator,
    Or,
    PhaseAtom,
    PhaseState,
    Scalar,
    Truth,
    render_literal,
)

PhaseLookup = Callable[[str, PhaseState], bool | None]
ScalarLookup = Callable[[str], Scalar]

_ISO_DATE_LENGTH = 10

_ORDERINGS: dict[Operator, Callable[..., bool]] = {
    Operator.LESS: operator.lt,
    Operator.MORE: operator.gt,
    Operator.AT_MOST: operator.le,
    Operator.AT_LEAST: operator.ge,
}


class Reading(NamedTuple):
    """One thing an expression read: the words for it (`restrictions`, `DRC passed`, `call.kind`)
    and its value.
    """

    text: str
    value: Scalar

    def __str__(self) -> str:
        """Return it as a reviewer reads it: `restrictions = true`."""
        return f"{self.text} = {render_literal(self.value)}"


class _Sources(NamedTuple):
    phase_state: PhaseLookup
    fact: ScalarLookup
    attribute: ScalarLookup

    def read(self, name: Name) -> Scalar:
        return self.fact(name.name) if isinstance(name, FactName) else self.attribute(name.name)


def evaluate(
    expression: Expression, *, phase_state: PhaseLookup, fact: ScalarLookup, attribute: ScalarLookup
) -> bool | None:
    """Evaluate in strong Kleene logic; None is unknown. Raises nothing of its own.

    A value that is absent, or of another type than what it is compared with, makes its comparison
    unknown. `attribute` is asked without the `call.` prefix.
    """
    return _value(expression.node, _Sources(phase_state, fact, attribute))


def describe(
    expression: Expression, *, phase_state: PhaseLookup, fact: ScalarLookup, attribute: ScalarLookup
) -> tuple[Reading, ...]:
    """Return the readings that decided the result, each once: for a false `a and b` only those of
    the false part.
    """
    found = _deciding(expression.node, _Sources(phase_state, fact, attribute))
    return tuple(dict.fromkeys(found))


def _value(node: Node, sources: _Sources) -> bool | None:
    match node:
        case Constant(value):
            return value
        case PhaseAtom(phase_id, state):
            return sources.phase_state(phase_id, state)
        case Truth(name):
            read = sources.read(name)
            return read if isinstance(read, bool) else None
        case Comparison(name, how, literals):
            return _compare(sources.read(name), how, literals)
        case Not(operand):
            inner = _value(operand, sources)
            return None if inner is None else not inner
        case And(operands):
            return _all(_value(operand, sources) for operand in operands)
        case Or(operands):
            return _any(_value(operand, sources) for operand in operands)
        case _:
            assert_never(node)


def _all(values: Iterable[bool | None]) -> bool | None:
    seen = tuple(values)
    if False in seen:
        return False
    return None if None in seen else True


def _any(values: Iterable[bool | None]) -> bool | None:
    seen = tuple(values)
    if True in seen:
        return True
    return None if None in seen else False


def _compare(value: Scalar, how: Operator, literals: tuple[Literal, ...]) -> bool | None:
    if how is Operator.IN:
        return _any(_equal(value, literal) for literal in literals)
    if how is Operator.EQUAL:
        return _equal(value, literals[0])
    if how is Operator.UNEQUAL:
        equal = _equal(value, literals[0])
        return None if equal is None else not equal
    pair = _aligned(value, literals[0])
    # A truth value has no order: `call.urgent > false` is a mistake, so it stays unknown.
    if pair is None or isinstance(pair[0], bool):
        return None
    return _ORDERINGS[how](*pair)


def _equal(value: Scalar, literal: Literal) -> bool | None:
    pair = _aligned(value, literal)
    return None if pair is None else pair[0] == pair[1]


def _aligned(value: Scalar, literal: Literal) -> tuple[Scalar, Scalar] | None:
    """Return both sides as values of one type, or None where they cannot be compared."""
    if _kind(value) == "date" and isinstance(literal, str):
        day = _iso_date(literal)
        return None if day is None else (value, day)
    return (value, literal) if _kind(value) == _kind(literal) != "none" else None


def _kind(value: object) -> str:
    match value:
        case bool():
            return "truth"
        case int():
            return "number"
        case Decimal():
            return "number" if value.is_finite() else "none"
        case str():
            return "text"
        case date() if not isinstance(value, datetime):
            return "date"
        case _:
            return "none"


def _iso_date(text: str) -> date | None:
    # fromisoformat also takes week dates and dates without dashes, which no author means.
    if len(text) != _ISO_DATE_LENGTH or text[4::3] != "--":
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _deciding(node: Node, sources: _Sources) -> Iterable[Reading]:
    match node:
        case Constant():
            return
        case PhaseAtom(phase_id, state):
            yield Reading(f"{phase_id} {state.value}", sources.phase_state(phase_id, state))
        case Truth(name) | Comparison(name):
            yield Reading(str(name), sources.read(name))
        case Not(operand):
            yield from _deciding(operand, sources)
        case And(operands) | Or(operands):
            yield from _deciding_operands(operands, sources, result=_value(node, sources))
        case _:
            assert_never(node)


def _deciding_operands(
    operands: tuple[Node, ...], sources: _Sources, *, result: bool | None
) -> Iterable[Reading]:
    """In both connectives the operands that decide are those whose own value is the result."""
    for operand in operands:
        if _value(operand, sources) is result:
            yield from _deciding(operand, sources)
