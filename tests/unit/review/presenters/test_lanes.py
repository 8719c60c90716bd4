"""The picture's geometry: every kind of row, critical edges, twelve phases, long calls."""

from __future__ import annotations

import pytest

from review.core.evaluation import EdgeReport, RowReport
from review.presenters.axis import Axis
from review.presenters.hues import HUES, hues_of
from review.presenters.lanes import LanesPicture, draw_lanes
from tests.unit.review.presenters.values import edge, report, row

TURNS = range(1, 101)


def draw(*rows: RowReport, edges: tuple[EdgeReport, ...] = ()) -> LanesPicture:
    hues = hues_of(one.phase for one in rows)
    picture = draw_lanes(report(*rows, edges=edges), TURNS, hues)
    assert picture is not None
    return picture


def test_a_passed_row_is_a_solid_bar_from_s_to_e_with_its_numbers() -> None:
    (lane,) = draw(row("PID", 11, 20)).lanes
    assert (lane.bar.x, lane.bar.width, lane.bar.look) == ("10%", "10%", "solid")
    assert (lane.start, lane.finish, lane.note) == ("11", "20", "")
    assert (lane.start_x, lane.finish_x) == ("10%", "20%")


@pytest.mark.parametrize(
    ("one", "look", "start", "finish", "note"),
    [
        pytest.param(row("X", "never", "never"), "hollow", "", "", "never started", id="never"),
        pytest.param(row("X", None, None), "dotted", "", "", "? not known", id="unknown"),
        pytest.param(row("X", 5, None), "dotted", "5", "?", "", id="open end"),
        pytest.param(row("X", 5, "never"), "hollow", "5", "never", "", id="never finished"),
        pytest.param(
            row("X", "never", "never", required=False),
            "dashed",
            "",
            "",
            "not required",
            id="not required, not done",
        ),
        pytest.param(row("X", 5, 6, required=False), "dashed", "5", "6", "", id="not required"),
        pytest.param(row("X", 5, 6, verdict="unknown"), "dotted", "5", "6", "", id="open verdict"),
    ],
)
def test_other_rows(one: RowReport, look: str, start: str, finish: str, note: str) -> None:
    (lane,) = draw(one).lanes
    assert (lane.bar.look, lane.start, lane.finish, lane.note) == (look, start, finish, note)


def test_an_open_row_reaches_to_the_end_of_the_call() -> None:
    (lane,) = draw(row("X", 51, None)).lanes
    assert (lane.bar.x, lane.bar.width) == ("50%", "50%")


def test_a_violated_edge_is_red_and_says_its_two_numbers() -> None:
    rows = row("PID", 45, 52), row("CSV", 42, 81)
    (path,) = draw(*rows, edges=(edge("PID", "CSV", 52, 42, False),)).edges
    assert path.tone == "fail"
    assert path.label == "PID → CSV: 52 < 42 is false"
    assert [(line.x1, line.x2) for line in path.lines] == [
        ("52%", "52%"),
        ("52%", "41%"),
        ("41%", "41%"),
    ]
    # The widest free room is right of the parent's bar.
    assert (path.label_x, path.label_side) == ("52%", "right")


def test_labels_do_not_take_the_same_room() -> None:
    rows = row("PID", 3, 40), row("CSV", 2, 2), row("DCC", 2, 2)
    broken = edge("PID", "CSV", 40, 2, False), edge("PID", "DCC", 40, 2, False)
    paths = draw(*rows, edges=broken).edges
    assert len({(path.label_y, path.label_side) for path in paths}) == 2


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (edge("A", "B", "never", 9, False), "A → B: A never finished"),
        (edge("A", "B", None, 9, False), "A → B: A had not finished"),
        (edge("A", "B", 5, 9, False, code="PARENT_ALREADY_CONTRADICTED"), "A → B: A revoked"),
        (edge("A", "B", None, 9, None), "A → B: order open"),
        (edge("A", "B", 9, 9, False), "A → B: 9 < 9 is false"),
        (
            edge("A", "B", 12, 9, False, policy="<=", item="fictorol"),
            "A → B (fictorol): 12 <= 9 is false",
        ),
    ],
)
def test_labels_of_other_edges(one: EdgeReport, words: str) -> None:
    (path,) = draw(row("A", 1, 5), row("B", 9, 10), edges=(one,)).edges
    assert path.label == words


def test_an_edge_that_holds_has_no_label_and_one_with_nothing_at_stake_is_not_drawn() -> None:
    rows = row("A", 1, 5), row("B", 9, 10), row("C", "never", "never")
    edges = (
        edge("A", "B", 5, 9, True),
        edge("A", "C", 5, "never", True, code="CHILD_NEVER_STARTED"),
        edge("B", "C", 5, 9, True, critical=False),
    )
    (path,) = draw(*rows, edges=edges).edges
    assert (path.child, path.tone, path.label) == ("B", "pass", "")


def test_the_picture_is_the_same_in_words() -> None:
    rows = row("PID", 45, 52), row("CSV", 42, None), row("DCC", "never", "never", required=False)
    picture = draw(*rows, edges=(edge("PID", "CSV", 52, 42, False),))
    assert picture.sentences == (
        "PID: from turn 45, to turn 52.",
        "CSV: from turn 42, finish not known.",
        "DCC (not required): never started.",
        "PID → CSV: 52 < 42 is false.",
    )


def test_thirteen_phases_begin_the_hues_again_and_stay_low() -> None:
    picture = draw(*(row(f"P{number}", number, number) for number in range(1, 14)))
    assert [lane.hue for lane in picture.lanes] == [*range(1, HUES + 1), 1]
    assert picture.height < 240


def test_no_turns_or_no_rows_make_no_picture() -> None:
    assert draw_lanes(report(), TURNS, {}) is None
    assert draw_lanes(report(row("PID", 1, 1)), (), {"PID": 1}) is None


@pytest.mark.parametrize(("first", "last"), [(0, 0), (0, 33), (1, 4), (1, 110), (1, 500), (7, 9)])
def test_ticks_are_few_and_hold_both_ends(first: int, last: int) -> None:
    numbers = [int(tick.text) for tick in Axis(first, last).ticks()]
    assert numbers == sorted(set(numbers))
    assert numbers[0] == first
    assert numbers[-1] == last
    assert len(numbers) <= 9


def test_one_turn_of_a_very_long_call_can_still_be_seen() -> None:
    axis = Axis(1, 5000)
    assert axis.right(40) - axis.left(40) == pytest.approx(0.5)
    assert axis.right(5000) == 100
