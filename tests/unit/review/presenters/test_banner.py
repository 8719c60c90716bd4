"""The banner's tiles: each outcome in its words."""

from __future__ import annotations

import pytest

from review.core.evaluation import Report
from review.presenters.banner import show_banner
from tests.unit.review.presenters.catalog import shipped_catalog
from tests.unit.review.presenters.values import edge, report, row

GOOD = row("PID", 1, 2), row("CSV", 3, 4)
EDGE = edge("PID", "CSV", 2, 3, True)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        pytest.param(
            report(*GOOD, edges=(EDGE,)),
            [
                "all 2 required phases passed",
                "the critical edge holds",
                "Coverage and OrderSafe both pass",
            ],
            id="pass",
        ),
        pytest.param(
            report(row("PID", "never", "never", ok=False), coverage="fail", call_success="fail"),
            ["not completed: PID", "this catalog has no critical edge", "Coverage fails"],
            id="not completed",
        ),
        pytest.param(
            report(
                row("PID", None, None, ok=None),
                edges=(edge("PID", "CSV", None, 3, None), EDGE),
                coverage="undetermined",
                order_safe="undetermined",
                call_success="undetermined",
            ),
            ["open: PID", "1 of 2 critical edges open", "a person must settle what is open"],
            id="open",
        ),
        pytest.param(
            report(
                row("PID", 1, 2, required=False),
                coverage="undetermined",
                call_success="undetermined",
                reasons=("VACUOUS",),
            ),
            [
                "no phase is required on this branch",
                "this catalog has no critical edge",
                "nothing was required on this branch",
            ],
            id="vacuous",
        ),
        pytest.param(
            report(
                row("PID", "never", "never", ok=False),
                edges=(edge("PID", "CSV", "never", 3, False), EDGE),
                coverage="fail",
                order_safe="fail",
                call_success="fail",
            ),
            ["not completed: PID", "1 of 2 critical edges violated", "Coverage and OrderSafe fail"],
            id="both fail",
        ),
    ],
)
def test_tiles(made: Report, words: list[str]) -> None:
    banner = show_banner(made, shipped_catalog("micro"), {1, 2, 3})
    assert [tile.sentence for tile in banner.tiles] == words


def test_violated_edges_come_before_open_ones_and_the_rest_is_counted() -> None:
    edges = (
        edge("PID", "CSV", None, 3, None),
        *(edge("PID", "DCC", 4, turn, False) for turn in (1, 2, 3, 4)),
    )
    banner = show_banner(report(*GOOD, edges=edges), shipped_catalog("micro"), {1, 2, 3})
    assert [one.mark.word for one in banner.edges] == ["fail", "fail", "fail"]
    assert banner.more == 2
