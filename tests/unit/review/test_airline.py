"""The shipped airline catalog on 136 real trajectories, read in place (issue 8, point 4)."""

from __future__ import annotations

from pathlib import Path

import pytest

from review.core.transcript import Event
from tests.bench.airline import Trajectory, judge_file, lines

ROOT = Path(__file__).resolve().parents[3]
TRAJECTORIES = ROOT.parent / "shared" / "data" / "tau-bench" / "gpt-4o-airline.part.json"
pytestmark = pytest.mark.skipif(
    not TRAJECTORIES.is_file(), reason="the shared data is not laid out here"
)


@pytest.fixture(scope="module")
def found() -> tuple[Trajectory, ...]:
    return judge_file(TRAJECTORIES)


def test_every_trajectory_comes_out_with_a_reason(found: tuple[Trajectory, ...]) -> None:
    assert len(found) == 136
    for one in found:
        report = one.judged.report
        assert report.summary
        assert report.call_success == "pass" or any(row.code for row in report.rows)
        assert all(edge.why for edge in report.edges)


def test_the_page_shows_the_figures_that_come_out(found: tuple[Trajectory, ...]) -> None:
    page = (ROOT / "docs" / "airline.md").read_text("utf-8")
    for line in lines(found):
        assert line in page


@pytest.mark.parametrize(
    ("call", "phase", "key", "verdict", "edge"),
    [
        # Read by hand: the turns are described in docs/airline.md.
        ("task-34-trial-0", "CONFIRM", 1, "fail", "PARENT_NEVER_FINISHED"),
        ("task-45-trial-0", "CONFIRM", 0, "fail", "PARENT_NEVER_FINISHED"),
        ("task-34-trial-1", "CONFIRM", 1, "fail", "PARENT_NEVER_FINISHED"),
        ("task-30-trial-3", "CONFIRM", 1, "pass", "SAFE"),
        # The first booking failed, was changed, listed and confirmed again.
        ("task-0-trial-0", "CONFIRM", 0, "pass", "SAFE"),
    ],
)
def test_calls_read_by_hand(
    found: tuple[Trajectory, ...], call: str, phase: str, key: int, verdict: str, edge: str
) -> None:
    [one] = [one for one in found if one.judged.report.call == call]
    assert one.instances(phase)[key].verdict.value == verdict
    [decided] = [shown for shown in one.judged.report.edges if shown.parent == phase]
    assert decided.code == edge


def test_a_failed_tool_call_is_not_the_action(found: tuple[Trajectory, ...]) -> None:
    done = [event for one in found for event in _writes(one) if event.ok]
    failed = [event for one in found for event in _writes(one) if event.ok is False]
    assert (len(done), len(failed)) == (114, 47)
    assert sum(len(one.instances("WRITE")) for one in found) == len(done)


def _writes(one: Trajectory) -> list[Event]:
    changing = ("book_", "cancel_", "update_", "send_")
    return [event for event in one.judged.call.events if event.name.startswith(changing)]
