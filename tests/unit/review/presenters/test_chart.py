"""A chart of rates: where points, intervals and marks of versions are drawn, and their words."""

from __future__ import annotations

from datetime import date

import pytest

from review.core.compliance.cells import plain_cell
from review.core.compliance.periods import Step, periods_between
from review.core.figures import share_of
from review.presenters.chart import Drawn, draw_chart, percent
from review.queries.failures import VersionMark

MONTHS = list(periods_between(date(2026, 1, 1), date(2026, 4, 30), Step.MONTH))


def rate(part: int, n: int) -> Drawn:
    share = share_of(part, n)
    assert share.value is not None
    assert share.low is not None
    assert share.high is not None
    return Drawn(share.value, share.low, share.high, f"{part} of {n} failed")


def test_a_period_without_calls_is_a_gap_and_no_zero() -> None:
    chart = draw_chart(MONTHS, [rate(1, 4), None, rate(0, 4), None], [])
    assert len(chart.points) == 2
    assert [one.x for one in chart.points] == sorted(one.x for one in chart.points)


def test_higher_rates_are_drawn_higher_with_the_interval_around() -> None:
    low, high = draw_chart(MONTHS[:2], [rate(1, 40), rate(30, 40)], []).points
    assert high.y < low.y
    for point in (low, high):
        assert point.high < point.y < point.low


def test_the_scale_fits_the_highest_interval() -> None:
    small = draw_chart(MONTHS[:1], [rate(1, 1000)], [])
    assert small.scale[-1].words == "10 %"
    assert draw_chart(MONTHS[:1], [rate(1, 1)], []).scale[-1].words == "100 %"


def test_only_versions_of_these_dates_are_marked_where_they_came_into_force() -> None:
    marks = [
        VersionMark("1.0.0", date(2025, 6, 1)),
        VersionMark("2.0.0", date(2026, 1, 1)),
        VersionMark("2.1.0", date(2026, 3, 1)),
        VersionMark("3.0.0", date(2027, 1, 1)),
    ]
    chart = draw_chart(MONTHS, [rate(1, 4), None, None, rate(1, 4)], marks)
    assert [one.words for one in chart.versions] == ["version 2.0.0", "version 2.1.0"]
    assert chart.versions[0].x == chart.left
    assert chart.points[0].x < chart.versions[1].x < chart.points[1].x
    assert chart.versions[0].label_y != chart.versions[1].label_y


def test_the_words_say_what_is_drawn() -> None:
    chart = draw_chart(MONTHS[:1], [rate(1, 4)], [])
    assert chart.sentences == ("Jan 2026: 1 of 4 failed",)


@pytest.mark.parametrize(
    ("share", "words"),
    [(0.0, "0 %"), (0.0004, "0.0 %"), (0.0456, "4.6 %"), (0.0996, "10 %"), (1.0, "100 %")],
)
def test_percent(share: float, words: str) -> None:
    assert percent(share) == words


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("  =1+1", "'  =1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@x", "'@x"),
        ("\t=1", "'\t=1"),
        ("north", "north"),
        ("", ""),
    ],
)
def test_cells(text: str, cell: str) -> None:
    assert plain_cell(text) == cell
