"""Which edges are drawn, and in which layers their phases stand."""

from __future__ import annotations

import pytest

from catalogs.presenters.order import edges_of, lay_out
from tests.unit.catalogs.presenters.orders import ordered, shipped


def layers(orders: dict[str, str]) -> tuple[tuple[str, ...], ...]:
    document = ordered(orders)
    return lay_out(document, edges_of(document)).layers


def test_a_soft_edge_that_follows_from_a_chain_is_not_drawn_and_names_the_chain() -> None:
    edges = {
        (edge.parent, edge.child): edge
        for edge in edges_of(ordered({"A": "", "B": "A", "C": "B", "D": "A B C"}))
    }
    assert edges["A", "D"].implied == ("A", "B", "D")
    assert not edges["A", "D"].is_drawn
    assert edges["C", "D"].is_drawn


def test_a_critical_edge_is_drawn_even_where_it_follows_from_others() -> None:
    edges = edges_of(ordered({"A": "", "B": "A", "C": "A! B"}))
    [critical] = [edge for edge in edges if edge.critical]
    assert (critical.parent, critical.child, critical.is_drawn) == ("A", "C", True)


def test_the_paper_like_catalog_keeps_the_five_edges_of_its_picture() -> None:
    drawn = [
        (edge.parent, edge.child)
        for edge in edges_of(shipped("benefits_verification"))
        if edge.is_drawn
    ]
    assert drawn == [
        ("PID", "CSV"),
        ("CSV", "DFV"),
        ("DFV", "DRC"),
        ("DRC", "DCC"),
        ("CSV", "CRN"),
    ]


def test_a_phase_stands_after_its_last_parent() -> None:
    assert layers({"A": "", "B": "A", "C": "A B"}) == (("A",), ("B",), ("C",))


def test_a_phase_without_parents_stands_just_before_its_first_child() -> None:
    assert layers({"A": "", "B": "A", "LATE": "", "C": "B LATE"})[1] == ("B", "LATE")


def test_a_phase_without_any_edge_stands_first() -> None:
    assert layers({"A": "", "ALONE": "", "B": "A"})[0] == ("A", "ALONE")


def test_an_edge_over_several_layers_has_a_stop_in_each() -> None:
    document = ordered({"A": "", "B": "A", "C": "B", "D": "C A!"})
    chains = {
        chain.edge.parent: chain.stops
        for chain in lay_out(document, edges_of(document)).chains
        if chain.edge.child == "D"
    }
    assert chains["A"] == ("A", "A>D@1", "A>D@2", "D")


def test_layers_are_sorted_so_that_edges_do_not_cross() -> None:
    # In the catalog's order both edges would cross.
    assert layers({"A": "", "B": "", "X": "B", "Y": "A"}) in (
        (("A", "B"), ("Y", "X")),
        (("B", "A"), ("X", "Y")),
    )


def test_a_parent_that_is_no_phase_is_left_out() -> None:
    assert [edge.parent for edge in edges_of(ordered({"A": "", "B": "A GHOST"}))] == ["A"]


def test_a_cycle_is_named() -> None:
    document = ordered({"A": "C", "B": "A", "C": "B"})
    with pytest.raises(ValueError, match="A → B → C → A"):
        lay_out(document, edges_of(document))
