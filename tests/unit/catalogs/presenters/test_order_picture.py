"""The drawing: nothing lies on anything else, in every shipped catalog and in crowded ones."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from catalogs.core.document import Document, Scope
from catalogs.core.requirements import parse
from catalogs.presenters.order import edges_of
from catalogs.presenters.order_curves import Area, Curve
from catalogs.presenters.order_picture import OrderPicture, draw_order
from catalogs.shipped import SHIPPED_CATALOGS
from tests.unit.catalogs.presenters.orders import ordered, shipped

CHAIN = {f"P{n:02}": f"P{n - 1:02}!" if n else "" for n in range(40)}
FAN = {"ROOT": "", **{f"P{n:02}": "ROOT!" for n in range(30)}}
FUNNEL = {**{f"P{n:02}": "" for n in range(12)}, "END": " ".join(f"P{n:02}!" for n in range(12))}
LADDER = {
    f"P{n:02}": " ".join(f"P{m:02}{'!' if m % 2 else ''}" for m in range(max(n - 4, 0), n))
    for n in range(24)
}
CROWDED = {"chain": CHAIN, "fan": FAN, "funnel": FUNNEL, "ladder": LADDER}

DOCUMENTS = [
    *(pytest.param(shipped(path.stem), id=path.stem) for path in SHIPPED_CATALOGS),
    *(pytest.param(ordered(orders), id=name) for name, orders in CROWDED.items()),
]
every_order = pytest.mark.parametrize("document", DOCUMENTS)


def draw(document: Document) -> OrderPicture:
    return draw_order(document, edges_of(document))


def boxes(picture: OrderPicture) -> dict[str, Area]:
    return {
        box.phase: Area(box.x, box.y, box.x + box.width, box.y + box.height)
        for box in picture.boxes
    }


def labels(picture: OrderPicture) -> dict[tuple[str, str], Area]:
    """Return the room of every label, measured with letters of six pixels."""
    return {
        (curve.parent, curve.child): Area(
            curve.label_x - len(curve.label) * 3,
            curve.label_y - 9,
            curve.label_x + len(curve.label) * 3,
            curve.label_y + 2,
        )
        for curve in picture.curves
        if curve.label
    }


def points(curve: Curve) -> Iterator[tuple[float, float]]:
    """Yield points along a path of level lines and curves."""
    numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", curve.path)]
    commands = re.findall(r"[MLC]", curve.path)
    x, y = 0.0, 0.0
    for command in commands:
        if command in "ML":
            end = numbers[:2]
            numbers = numbers[2:]
            steps = [(x + (end[0] - x) * t / 8, y + (end[1] - y) * t / 8) for t in range(9)]
            yield from steps if command == "L" else [(end[0], end[1])]
        else:
            a, b, end = numbers[:2], numbers[2:4], numbers[4:6]
            numbers = numbers[6:]
            for t in (step / 16 for step in range(17)):
                r = 1 - t
                yield (
                    r**3 * x + 3 * r * r * t * a[0] + 3 * r * t * t * b[0] + t**3 * end[0],
                    r**3 * y + 3 * r * r * t * a[1] + 3 * r * t * t * b[1] + t**3 * end[1],
                )
        x, y = end


@every_order
def test_no_two_phases_overlap(document: Document) -> None:
    areas = list(boxes(draw(document)).values())
    assert not [
        (one, two) for at, one in enumerate(areas) for two in areas[:at] if one.overlaps(two)
    ]


@every_order
def test_a_child_stands_right_of_its_parents(document: Document) -> None:
    picture = draw(document)
    at = boxes(picture)
    assert all(at[curve.parent].right < at[curve.child].left for curve in picture.curves)


@every_order
def test_no_edge_runs_through_a_phase(document: Document) -> None:
    picture = draw(document)
    at = boxes(picture)
    hit = [
        (curve.parent, curve.child, phase)
        for curve in picture.curves
        for x, y in points(curve)
        for phase, area in at.items()
        if area.left + 1 < x < area.right - 1 and area.top < y < area.bottom
    ]
    assert not hit


@every_order
def test_labels_stand_on_no_phase_and_on_no_other_label(document: Document) -> None:
    picture = draw(document)
    named = labels(picture)
    areas = list(named.values())
    assert not [
        name
        for name, area in named.items()
        for box in boxes(picture).values()
        if area.overlaps(box)
    ]
    assert not [
        (one, two) for at, one in enumerate(areas) for two in areas[:at] if one.overlaps(two)
    ]


@every_order
def test_everything_is_inside_the_drawing(document: Document) -> None:
    picture = draw(document)
    paper = Area(0, 0, picture.width, picture.height)
    for area in (*boxes(picture).values(), *labels(picture).values()):
        assert paper.left <= area.left
        assert area.right <= paper.right
        assert paper.top <= area.top
        assert area.bottom <= paper.bottom
    for curve in picture.curves:
        assert all(0 <= x <= paper.right and 0 <= y <= paper.bottom for x, y in points(curve))


@every_order
def test_the_same_catalog_gives_the_same_picture(document: Document) -> None:
    assert draw(document) == draw(document)


@every_order
def test_every_edge_is_said_in_words(document: Document) -> None:
    picture = draw(document)
    assert len(picture.sentences) == len(edges_of(document))
    assert len(picture.curves) + picture.left_out == len(picture.sentences)


@pytest.mark.parametrize("path", SHIPPED_CATALOGS, ids=lambda path: str(path.stem))
def test_a_shipped_order_fits_a_wide_screen(path: object) -> None:
    [name] = [one.stem for one in SHIPPED_CATALOGS if one == path]
    assert draw(shipped(name)).width <= 1214


def test_a_long_catalog_is_drawn_in_no_time() -> None:
    long = ordered(
        {f"P{n:03}": " ".join(f"P{m:03}" for m in range(n % 7, n, 9)) for n in range(90)}
    )
    begun = time.perf_counter()
    draw(long)
    assert time.perf_counter() - begun < 2


def test_a_critical_edge_has_its_policy_and_scope_beside_it() -> None:
    document = ordered({"A": "", "B": "A!"})
    [curve] = draw(document).curves
    assert (curve.is_critical, curve.label) == (True, "◆ <")
    a, b = document.phases
    edge = b.critical[0]
    narrowed = replace(edge, scope=Scope.ITEM, when=parse("A passed"))
    [curve] = draw(replace(document, phases=(a, replace(b, critical=(narrowed,))))).curves
    assert curve.label == "◆ < per item if …"


def test_where_items_are_told_apart_the_scope_of_the_whole_call_is_said() -> None:
    found = {
        (curve.parent, curve.child): curve.label
        for curve in draw(shipped("benefits_verification_paper")).curves
        if curve.is_critical
    }
    assert found == {
        ("PID", "CSV"): "◆ <",
        ("DFV", "DRC"): "◆ < whole call",
        ("DRC", "DCC"): "◆ < whole call",
    }


def test_a_phase_that_no_call_owes_is_dashed() -> None:
    picture = draw(shipped("respiratory_history"))
    dashed = {box.phase for box in picture.boxes if box.look == "dashed"}
    assert dashed == {"MEDS_ACTIVE", "FAMHX", "PLAN_TEST", "DX_PROV"}
    assert picture.has_dashed


def test_the_words_name_the_critical_edges() -> None:
    words = draw(shipped("micro")).sentences
    assert words == (
        "Critical: PID must finish before CSV starts.",
        "Critical: PID must finish before DCC starts.",
    )
