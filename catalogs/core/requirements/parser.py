"""From text to expression. Recursive descent over a few tokens; every refusal points at a
character.

either  := both ("or" both)*
both    := denied ("and" denied)*
denied  := "not" denied | single
single  := "(" either ")" | "true" | "false" | ID state | name [operator literal | "in" "(" literal,
... ")"]
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from catalogs.core.requirements.expression import (
    And,
    AttributeName,
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
    Truth,
)

MAX_LENGTH = 2_000
"""Characters in one expression."""

MAX_NESTING = 50
"""Open parentheses and `not`s around one atom; keeps every walk over the tree far from Python's
recursion limit.
"""

KEYWORDS = frozenset(
    {"and", "or", "not", "in", "true", "false", "always", *(state.value for state in PhaseState)}
)
"""Words that cannot name a fact."""

_TOKEN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<text>'(?:[^']|'')*')"
    r"|(?P<slip>&&|\|\||==|<>|[\"!&|](?!=)|')"
    r"|(?P<number>-?[0-9]+(?:\.[0-9]+)?(?![\w.]))"
    r"|(?P<sign><=|>=|!=|=|<|>|\(|\)|,)"
    r"|(?P<word>[A-Za-z_][A-Za-z0-9_.]*)"
)

_SLIPS = {
    "&&": "write 'and' instead of &&",
    "&": "write 'and' instead of &",
    "||": "write 'or' instead of ||",
    "|": "write 'or' instead of |",
    "!": "write 'not' instead of !",
    "==": "write a single = to compare",
    "<>": "write != for 'is not'",
    '"': "put text in single quotes",
    "'": "this quote is never closed; end the text with a second one",
}

_OPERATORS = {operator.value: operator for operator in Operator if operator is not Operator.IN}
_STATES = {state.value: state for state in PhaseState}


class ExpressionError(ValueError):
    """Text that is no expression. `position` is the offending character, counted from 0; `sentence`
    says what to do.
    """

    def __init__(self, position: int, sentence: str) -> None:
        """Keep the place and the sentence apart, so that a page can point."""
        super().__init__(f"at character {position + 1}: {sentence}")
        self.position = position
        self.sentence = sentence


class _Token(NamedTuple):
    kind: str
    text: str
    position: int


def parse(text: str) -> Expression:
    """Parse an expression (catalog format, domain 5.3). Raises ExpressionError with position and
    sentence.

    >>> parse("DRC passed and not restrictions").source
    'DRC passed and not restrictions'
    """
    if len(text) > MAX_LENGTH:
        raise ExpressionError(
            MAX_LENGTH, f"an expression may have {MAX_LENGTH:,} characters; split it over facts"
        )
    reader = _Reader(_tokens(text), len(text))
    node = reader.either()
    if reader.peek().kind != "end":
        raise reader.refused("join two conditions with 'and' or 'or'; this one just follows")
    return Expression(text, node)


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    position = 0
    while position < len(text):
        hit = _TOKEN.match(text, position)
        if hit is None or hit.lastgroup is None:
            raise ExpressionError(
                position, f"{text[position]!r} has no meaning in an expression; remove it"
            )
        if hit.lastgroup == "slip":
            raise ExpressionError(position, _SLIPS[hit.group()])
        if hit.lastgroup != "space":
            found.append(_Token(hit.lastgroup, hit.group(), position))
        position = hit.end()
    return found


class _Reader:
    """A cursor over tokens; one method per line of the grammar."""

    def __init__(self, tokens: list[_Token], end: int) -> None:
        self._tokens = tokens
        self._end = _Token("end", "", end)
        self._next = 0
        self._depth = 0

    def peek(self) -> _Token:
        return self._tokens[self._next] if self._next < len(self._tokens) else self._end

    def take(self) -> _Token:
        token = self.peek()
        self._next += 1
        return token

    def accept(self, text: str) -> bool:
        token = self.peek()
        if token.kind in ("word", "sign") and token.text == text:
            self._next += 1
            return True
        return False

    def refused(self, sentence: str) -> ExpressionError:
        return ExpressionError(self.peek().position, sentence)

    def deeper(self) -> None:
        self._depth += 1
        if self._depth > MAX_NESTING:
            raise self.refused(f"nested more than {MAX_NESTING} deep; use fewer parentheses")

    def either(self) -> Node:
        operands = [self.both()]
        while self.accept("or"):
            operands.append(self.both())
        return _flat(Or, operands)

    def both(self) -> Node:
        operands = [self.denied()]
        while self.accept("and"):
            operands.append(self.denied())
        return _flat(And, operands)

    def denied(self) -> Node:
        if not self.accept("not"):
            return self.single()
        self.deeper()
        node = Not(self.denied())
        self._depth -= 1
        return node

    def single(self) -> Node:
        if self.accept("("):
            self.deeper()
            node = self.either()
            if not self.accept(")"):
                raise self.refused("a closing parenthesis is missing here")
            self._depth -= 1
            return node
        if self.accept("true"):
            return Constant(value=True)
        if self.accept("false"):
            return Constant(value=False)
        return self.atom()

    def atom(self) -> Node:
        token = self.peek()
        if token.kind != "word" or token.text in KEYWORDS:
            raise self.refused(
                "a phase with its state, a fact or a call attribute is expected here"
            )
        self.take()
        following = self.peek()
        if following.kind == "word" and following.text in _STATES:
            self.take()
            return PhaseAtom(token.text, _STATES[following.text])
        return self.condition(_name(token))

    def condition(self, name: Name) -> Node:
        if self.accept("in"):
            return Comparison(name, Operator.IN, self.listed())
        token = self.peek()
        if token.kind == "sign" and token.text in _OPERATORS:
            self.take()
            return Comparison(name, _OPERATORS[token.text], (self.literal(),))
        return Truth(name)

    def listed(self) -> tuple[Literal, ...]:
        if not self.accept("("):
            raise self.refused("'in' needs a list in parentheses, such as ('EU', 'US-CA')")
        values = [self.literal()]
        while self.accept(","):
            values.append(self.literal())
        if not self.accept(")"):
            raise self.refused("the list of 'in' needs a comma or a closing parenthesis here")
        return tuple(values)

    def literal(self) -> Literal:
        token = self.peek()
        if token.kind == "text":
            self.take()
            return token.text[1:-1].replace("''", "'")
        if token.kind == "number":
            self.take()
            return Decimal(token.text) if "." in token.text else int(token.text)
        if token.text in ("true", "false"):
            self.take()
            return token.text == "true"
        raise self.refused(
            "a value is expected here: text in single quotes, a number, true or false"
        )


def _flat(kind: type[And] | type[Or], operands: list[Node]) -> Node:
    """Join operands of one kind; `(a and b) and c` becomes one conjunction of three."""
    if len(operands) == 1:
        return operands[0]
    parts: list[Node] = []
    for operand in operands:
        parts.extend(operand.operands if isinstance(operand, kind) else (operand,))
    return kind(tuple(parts))


def _name(token: _Token) -> Name:
    if token.text.startswith("call.") and token.text != "call.":
        return AttributeName(token.text.removeprefix("call."))
    return FactName(token.text)
