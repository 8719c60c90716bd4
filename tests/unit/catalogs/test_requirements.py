"""Requirement expressions: grammar, three-valued logic, refusals."""

import itertools
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogs.core.requirements import (
    KEYWORDS,
    And,
    AttributeName,
    Comparison,
    Constant,
    Expression,
    ExpressionError,
    FactName,
    Literal,
    Node,
    Not,
    Operator,
    Or,
    PhaseAtom,
    PhaseState,
    Reading,
    Scalar,
    Truth,
    describe,
    evaluate,
    free_attributes,
    free_facts,
    free_phases,
    has_comparison,
    parse,
    render,
)


def value_of(
    text: str,
    *,
    states: Mapping[str, bool | None] | None = None,
    facts: Mapping[str, Scalar] | None = None,
    attributes: Mapping[str, Scalar] | None = None,
) -> bool | None:
    """Evaluate a text; states are written as ``DRC passed``."""
    return evaluate(
        parse(text),
        phase_state=lambda phase, state: (states or {}).get(f"{phase} {state.value}"),
        fact=(facts or {}).get,
        attribute=(attributes or {}).get,
    )


# The tables of strong Kleene logic as printed in any textbook: T, F and U for unknown.
WORTH = {"T": True, "F": False, "U": None}
AND_TABLE = {
    "TT": "T",
    "TF": "F",
    "TU": "U",
    "FT": "F",
    "FF": "F",
    "FU": "F",
    "UT": "U",
    "UF": "F",
    "UU": "U",
}
OR_TABLE = {
    "TT": "T",
    "TF": "T",
    "TU": "T",
    "FT": "T",
    "FF": "F",
    "FU": "U",
    "UT": "T",
    "UF": "U",
    "UU": "U",
}
NOT_TABLE = {"T": "F", "F": "T", "U": "U"}


@pytest.mark.parametrize("pair", sorted(AND_TABLE))
def test_truth_tables(pair: str) -> None:
    facts = {"a": WORTH[pair[0]], "b": WORTH[pair[1]]}
    assert value_of("a and b", facts=facts) is WORTH[AND_TABLE[pair]]
    assert value_of("a or b", facts=facts) is WORTH[OR_TABLE[pair]]
    assert value_of("not a", facts=facts) is WORTH[NOT_TABLE[pair[0]]]


@pytest.mark.parametrize("letters", list(itertools.product("TFU", repeat=3)))
def test_precedence_is_not_then_and_then_or(letters: tuple[str, str, str]) -> None:
    a, b, c = letters
    facts = {"a": WORTH[a], "b": WORTH[b], "c": WORTH[c]}
    expected = OR_TABLE[a + AND_TABLE[NOT_TABLE[b] + c]]
    assert value_of("a or not b and c", facts=facts) is WORTH[expected]
    grouped = AND_TABLE[OR_TABLE[a + NOT_TABLE[b]] + c]
    assert value_of("(a or not b) and c", facts=facts) is WORTH[grouped]


@pytest.mark.parametrize("state", list(PhaseState))
def test_every_state_is_read_and_asked_for(state: PhaseState) -> None:
    text = f"DRC {state.value}"
    assert free_phases(parse(text)) == (("DRC", state),)
    for value in (True, False, None):
        assert value_of(text, states={text: value}) is value


COMPARISONS: list[tuple[str, Scalar, bool | None]] = [
    ("call.x = 'ai'", "ai", True),
    ("call.x = 'ai'", "human", False),
    ("call.x != 'ai'", "human", True),
    ("call.x != 'ai'", None, None),
    ("call.x = 'ai'", None, None),
    ("call.x in ('EU', 'US-CA')", "EU", True),
    ("call.x in ('EU', 'US-CA')", "US", False),
    ("call.x in ('EU', 3)", "US", None),
    ("call.x in ('EU', 3)", "EU", True),
    ("call.x > 2", 3, True),
    ("call.x > 2", 2, False),
    ("call.x >= 2", 2, True),
    ("call.x < 2.5", 2, True),
    ("call.x <= 2", Decimal("2.00"), True),
    ("call.x = 2", Decimal("2.0"), True),
    ("call.x = -1", -1, True),
    ("call.x = 2", "2", None),
    ("call.x = '2'", 2, None),
    ("call.x = 1", True, None),
    ("call.x = true", 1, None),
    ("call.x = true", True, True),
    ("call.x != true", False, True),
    ("call.x > false", True, None),
    ("call.x = 2", Decimal("NaN"), None),
    ("call.x < 2", Decimal("-Infinity"), None),
    ("call.x < '2026-10-01'", date(2026, 9, 30), True),
    ("call.x = '2026-10-01'", date(2026, 10, 1), True),
    ("call.x >= '2026-10-01'", "2026-10-02", True),
    ("call.x = '20261001'", date(2026, 10, 1), None),
    ("call.x = '2026-W40-4'", date(2026, 10, 1), None),
    ("call.x = '2026-02-30'", date(2026, 10, 1), None),
    ("call.x = 20261001", date(2026, 10, 1), None),
    ("call.x = '2026-10-01'", datetime(2026, 10, 1, 1, 0), None),
    ("call.x = 'it''s'", "it's", True),
    ("call.x", True, True),
    ("call.x", "yes", None),
    ("call.x", 1, None),
    ("true", None, True),
    ("not false", None, True),
]


@pytest.mark.parametrize(("text", "value", "expected"), COMPARISONS)
def test_comparisons(text: str, value: Scalar, expected: bool | None) -> None:
    assert value_of(text, attributes={"x": value}) is expected


def test_a_float_from_elsewhere_is_unknown() -> None:
    found = evaluate(
        parse("a = 1.5"),
        phase_state=lambda _phase, _state: None,
        fact=lambda _name: 1.5,  # type: ignore[arg-type,return-value]  # what a careless caller would do
        attribute=lambda _name: None,
    )
    assert found is None


REFUSED: list[tuple[str, int, str]] = [
    ("", 0, "expected"),
    ("   ", 3, "expected"),
    ("DRC passed && !restrictions", 11, "'and'"),
    ("a || b", 2, "'or'"),
    ("!a", 0, "'not'"),
    ("a == 'x'", 2, "single ="),
    ("a <> 'x'", 2, "!="),
    ('a = "x"', 4, "single quotes"),
    ("a = 'x", 4, "never closed"),
    ("a = x", 4, "value is expected"),
    ("a = ", 4, "value is expected"),
    ("a in 'x'", 5, "parentheses"),
    ("a in ('x' 'y')", 10, "comma"),
    ("a in ()", 6, "value is expected"),
    ("(a", 2, "closing parenthesis"),
    ("a)", 1, "join"),
    ("a b", 2, "join"),
    ("a and", 5, "expected"),
    ("and a", 0, "expected"),
    ("not", 3, "expected"),
    ("passed", 0, "expected"),
    ("'x' = a", 0, "expected"),
    ("a # b", 2, "no meaning"),
    ("a = 1.", 4, "no meaning"),
    ("a = 1x", 4, "no meaning"),
    ("a; import os", 1, "no meaning"),
    ("__import__('os')", 10, "join"),
    ("a = 'x' or ü", 11, "no meaning"),
]


@pytest.mark.parametrize(("text", "position", "words"), REFUSED)
def test_refusals_point_at_the_character(text: str, position: int, words: str) -> None:
    with pytest.raises(ExpressionError) as refusal:
        parse(text)
    assert refusal.value.position == position
    assert words in refusal.value.sentence
    assert f"character {position + 1}" in str(refusal.value)


def test_caps() -> None:
    assert parse("(" * 50 + "a" + ")" * 50).node == Truth(FactName("a"))
    assert len(free_facts(parse(" or ".join(f"a{n}" for n in range(200))))) == 200
    for text in ("(" * 51 + "a" + ")" * 51, "not " * 51 + "a", "a" * 2001):
        with pytest.raises(ExpressionError):
            parse(text)


def test_what_an_expression_reads() -> None:
    text = "DRC passed and not restrictions or DRC passed and call.kind = 'ai' and PID started"
    expression = parse(text)
    assert expression.source == text
    assert free_phases(expression) == (("DRC", PhaseState.PASSED), ("PID", PhaseState.STARTED))
    assert free_facts(expression) == ("restrictions",)
    assert free_attributes(expression) == ("kind",)
    assert has_comparison(expression)
    assert not has_comparison(parse("DRC passed and not restrictions"))


DESCRIBED: list[tuple[str, dict[str, bool | None], dict[str, Scalar], list[Reading]]] = [
    (
        "DRC passed and not restrictions",
        {"DRC passed": True},
        {"restrictions": True},
        [Reading("restrictions", True)],
    ),
    (
        "DRC passed and not restrictions",
        {"DRC passed": True},
        {"restrictions": False},
        [Reading("DRC passed", True), Reading("restrictions", False)],
    ),
    (
        "DRC passed and not restrictions",
        {"DRC passed": True},
        {},
        [Reading("restrictions", None)],
    ),
    ("a or b = 3", {}, {"a": False, "b": 3}, [Reading("b", 3)]),
    ("a or a", {}, {"a": True}, [Reading("a", True)]),
    ("true", {}, {}, []),
]


def test_a_reading_in_words() -> None:
    assert str(Reading("restrictions", True)) == "restrictions = true"
    assert str(Reading("call.kind", "ai")) == "call.kind = 'ai'"
    assert str(Reading("call.date", date(2026, 1, 1))) == "call.date = '2026-01-01'"
    assert str(Reading("copay_usd", None)) == "copay_usd = unknown"
    assert free_phases(parse("true")) == ()


@pytest.mark.parametrize(("text", "states", "facts", "expected"), DESCRIBED)
def test_describe_names_what_decided(
    text: str,
    states: dict[str, bool | None],
    facts: dict[str, Scalar],
    expected: list[Reading],
) -> None:
    found = describe(
        parse(text),
        phase_state=lambda phase, state: states.get(f"{phase} {state.value}"),
        fact=facts.get,
        attribute=lambda _name: None,
    )
    assert list(found) == expected


words = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True).filter(
    lambda word: word not in KEYWORDS
)
literals: st.SearchStrategy[Literal] = st.one_of(
    st.booleans(),
    st.integers(-(10**12), 10**12),
    st.decimals(-1000, 1000, places=2),
    st.text(st.characters(codec="utf-8"), max_size=12),
)
names = st.one_of(words.map(FactName), words.map(AttributeName))
atoms = st.one_of(
    st.booleans().map(Constant),
    st.builds(
        PhaseAtom,
        st.from_regex(r"[A-Z][A-Z0-9_]{1,8}", fullmatch=True),
        st.sampled_from(PhaseState),
    ),
    st.builds(Truth, names),
    st.builds(
        Comparison,
        names,
        st.sampled_from([operator for operator in Operator if operator is not Operator.IN]),
        st.tuples(literals),
    ),
    st.builds(
        Comparison,
        names,
        st.just(Operator.IN),
        st.lists(literals, min_size=1, max_size=3).map(tuple),
    ),
)


def _wider(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    many = st.lists(inner, min_size=2, max_size=3)
    return st.one_of(
        inner.map(Not),
        many.map(lambda nodes: _joined(And, nodes)),
        many.map(lambda nodes: _joined(Or, nodes)),
    )


def _joined(kind: type[And] | type[Or], nodes: list[Node]) -> Node:
    """Join without nesting one kind in itself, which is how the parser keeps them."""
    parts: list[Node] = []
    for node in nodes:
        parts.extend(node.operands if isinstance(node, kind) else (node,))
    return kind(tuple(parts))


nodes: st.SearchStrategy[Node] = st.recursive(atoms, _wider, max_leaves=12)


@given(nodes)
def test_render_and_parse_return_the_same_tree(node: Node) -> None:
    assert parse(render(node)).node == node


@given(nodes, st.data())
def test_evaluation_never_raises_and_describe_agrees(node: Node, data: st.DataObject) -> None:
    draw = data.draw(st.dictionaries(st.text(max_size=3), st.booleans(), max_size=3))
    scalars = st.one_of(
        st.none(), st.booleans(), st.integers(), st.text(max_size=4), st.dates(), st.decimals()
    )
    value = data.draw(scalars)
    expression = Expression("", node)
    found = evaluate(
        expression,
        phase_state=lambda phase, _state: draw.get(phase),
        fact=lambda _name: value,
        attribute=lambda _name: value,
    )
    assert found in (True, False, None)


@given(st.text(max_size=60))
def test_parsing_any_text_gives_a_tree_or_a_place(text: str) -> None:
    assert 0 <= _refused_at(text) <= len(text)


def _refused_at(text: str) -> int:
    try:
        parse(text)
    except ExpressionError as refusal:
        return refusal.position
    return 0
