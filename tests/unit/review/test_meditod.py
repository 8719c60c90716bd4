"""A real dialogue, read in place: MediTOD 115 against the respiratory catalog (design 1.5)."""

from __future__ import annotations

from pathlib import Path

import pytest

from review.core.evaluation import Judged, judge_call
from review.core.parsers import parse_calls
from tests.golden.judged import cascade_of

DIALOGUE = Path(__file__).resolve().parents[4] / "shared" / "data" / "meditod" / "dialog_115.json"
pytestmark = pytest.mark.skipif(
    not DIALOGUE.is_file(), reason="the shared data is not laid out here"
)


@pytest.fixture(scope="module")
def one() -> Judged:
    result = parse_calls(DIALOGUE.read_bytes(), name=DIALOGUE.name)
    return judge_call(result.calls[0], cascade_of("respiratory_history"))


@pytest.mark.parametrize(
    ("phase", "start", "finish"),
    [("SX_DECL", 1, 1), ("SX_ONSET_DUR", 2, 3), ("SX_CHARACTER", 4, 5), ("PLAN_TEST", 102, 102)],
)
def test_the_rows_that_the_paper_annotates(
    one: Judged, phase: str, start: int, finish: int
) -> None:
    row = one.report.row(phase)
    assert (row.start, row.finish, row.verdict) == (start, finish, "pass")


def test_the_test_plan_comes_after_the_red_flags(one: Judged) -> None:
    edge = next(edge for edge in one.report.edges if edge.critical)
    assert (edge.parent, edge.child, edge.ok, edge.child_start) == (
        "RED_FLAGS",
        "PLAN_TEST",
        True,
        102,
    )
    assert isinstance(edge.parent_finish, int)
    assert one.report.order_safe == "pass"


def test_both_ends_of_the_critical_edge_wait_for_a_person(one: Judged) -> None:
    flagged = {row.phase for row in one.report.rows if row.flags}
    assert {"RED_FLAGS", "PLAN_TEST"} <= flagged


def test_every_start_and_finish_names_what_decided_it(one: Judged) -> None:
    for row in one.report.rows:
        assert (row.decided_by.start is None) == (not isinstance(row.start, int)), row.phase
        assert (row.decided_by.finish is None) == (not isinstance(row.finish, int)), row.phase
