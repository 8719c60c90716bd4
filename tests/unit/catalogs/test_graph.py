"""Order graph and requirement graph."""

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogs.core.document import Document, load_document
from catalogs.core.graph import (
    critical_share,
    cycle_in_words,
    cycles,
    order_graph,
    reachable,
    requirement_graph,
    topological_order,
)
from tests.unit.catalogs.catalog_text import edited, shipped


def loaded(data: bytes) -> Document:
    document, findings = load_document(data)
    assert document is not None, findings
    return document


def test_order_graph_of_the_shipped_catalog() -> None:
    graph = order_graph(loaded(shipped()))
    assert graph["PID"] == ("CSV", "DFV", "DRC", "DCC")
    assert graph["CRN"] == ()
    assert topological_order(graph) == ("PID", "CSV", "DFV", "CRN", "DRC", "DCC")
    assert reachable(graph, "DFV") == {"DRC", "DCC"}


def test_requirement_graph_goes_through_facts() -> None:
    changes = (
        "required: {when: DRC passed and not restrictions}",
        "required: {when: not restrictions}",
    )
    assert requirement_graph(loaded(edited(changes)))["DCC"] == ("DRC",)
    assert requirement_graph(loaded(shipped()))["PID"] == ()


def test_critical_share() -> None:
    assert critical_share(loaded(shipped())) == Fraction(1, 11)
    assert critical_share(loaded(shipped("benefits_verification_paper.yaml"))) == Fraction(1, 3)


CYCLES: list[tuple[str, dict[str, tuple[str, ...]], tuple[tuple[str, ...], ...]]] = [
    ("none", {"a": ("b",), "b": ()}, ()),
    ("itself", {"a": ("a",)}, (("a", "a"),)),
    ("two", {"a": ("b",), "b": ("a",)}, (("a", "b", "a"),)),
    ("tail before", {"t": ("a",), "a": ("b",), "b": ("a",)}, (("a", "b", "a"),)),
    ("two apart", {"a": ("a",), "b": ("c",), "c": ("b",)}, (("a", "a"), ("b", "c", "b"))),
    ("diamond", {"a": ("b", "c"), "b": ("d",), "c": ("d",), "d": ()}, ()),
]


@pytest.mark.parametrize(
    ("graph", "expected"), [row[1:] for row in CYCLES], ids=[row[0] for row in CYCLES]
)
def test_cycles(graph: dict[str, tuple[str, ...]], expected: tuple[tuple[str, ...], ...]) -> None:
    assert cycles(graph) == expected


def test_cycle_stops_an_order_and_names_itself() -> None:
    with pytest.raises(ValueError, match="a → b → a"):
        topological_order({"a": ("b",), "b": ("a",)})
    assert cycle_in_words(("PID", "CSV", "PID")) == "PID → CSV → PID"


def test_a_long_chain_needs_no_recursion() -> None:
    size = 5_000
    chain = {str(n): (str(n + 1),) if n + 1 < size else () for n in range(size)}
    assert topological_order(chain)[-1] == str(size - 1)
    assert cycles(chain) == ()


graphs = st.integers(1, 7).flatmap(
    lambda size: st.fixed_dictionaries(
        {
            str(node): st.lists(st.integers(0, size - 1).map(str), max_size=4, unique=True).map(
                tuple
            )
            for node in range(size)
        }
    )
)


@given(graphs)
def test_a_graph_has_an_order_or_a_cycle_never_both(graph: dict[str, tuple[str, ...]]) -> None:
    found = cycles(graph)
    for cycle in found:
        assert cycle[0] == cycle[-1]
        assert all(after in graph[before] for before, after in itertools.pairwise(cycle))
    # An independent judge: a node that reaches itself lies on a cycle.
    assert bool(found) == any(node in reachable(graph, node) for node in graph)
    if not found:
        place = {node: index for index, node in enumerate(topological_order(graph))}
        assert all(place[node] < place[after] for node in graph for after in graph[node])
