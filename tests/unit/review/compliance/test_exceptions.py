"""Exceptions: what they cover, which days they may have, and how they stand by the clock."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from review.core.compliance.exceptions import (
    CannotExcept,
    Excepted,
    Stage,
    check_days,
    covers,
    excepted_among,
    stage_of,
)

FIRST, LAST = date(2026, 3, 1), date(2026, 3, 31)
PHASE = Excepted("north", "benefits", "PID", FIRST, LAST)
EDGE = Excepted("north", "benefits", "PID>CSV", FIRST, LAST)


@pytest.mark.parametrize(
    ("one", "site", "catalog", "name", "day", "covered"),
    [
        (PHASE, "north", "benefits", "PID/name", FIRST, True),
        (PHASE, "north", "benefits", "PID/name", LAST, True),
        (PHASE, "north", "benefits", "PID/name", LAST + timedelta(days=1), False),
        (PHASE, "north", "benefits", "PID/name", FIRST - timedelta(days=1), False),
        (PHASE, "south", "benefits", "PID/name", FIRST, False),
        (PHASE, "north", "other", "PID/name", FIRST, False),
        (PHASE, "north", "benefits", "PIDX/name", FIRST, False),
        (PHASE, "north", "benefits", "PID>CSV", FIRST, False),
        (EDGE, "north", "benefits", "PID>CSV", FIRST, True),
        (EDGE, "north", "benefits", "PID>CSV2", FIRST, False),
        (EDGE, "north", "benefits", "PID/name", FIRST, False),
    ],
)
def test_what_is_covered(
    one: Excepted, site: str, catalog: str, name: str, day: date, covered: bool
) -> None:
    assert covers(one, site, catalog, name, day) is covered


def test_failures_that_some_exception_covers() -> None:
    failed = ("PID/name", "PID>CSV", "CSV/plan")
    assert excepted_among([PHASE, EDGE], "north", "benefits", failed, FIRST) == failed[:2]
    assert excepted_among([], "north", "benefits", failed, FIRST) == ()


@pytest.mark.parametrize(
    ("first", "last", "sentence"),
    [
        (LAST, FIRST, "before the first"),
        (FIRST, FIRST + timedelta(days=366), "a year at most"),
        (date(2020, 1, 1), date(2020, 2, 1), "over already"),
    ],
)
def test_days_that_make_no_exception(first: date, last: date, sentence: str) -> None:
    with pytest.raises(CannotExcept, match=sentence):
        check_days(first, last, FIRST)


def test_a_whole_year_and_a_single_day_may_be_excepted() -> None:
    check_days(FIRST, FIRST + timedelta(days=365), FIRST)
    check_days(FIRST, FIRST, FIRST)


@pytest.mark.parametrize(
    ("today", "approved", "ended", "stage"),
    [
        (FIRST, False, False, Stage.ASKED),
        (LAST + timedelta(days=1), False, False, Stage.LAPSED),
        (FIRST - timedelta(days=1), True, False, Stage.COMING),
        (FIRST, True, False, Stage.STANDS),
        (LAST, True, False, Stage.STANDS),
        (LAST + timedelta(days=1), True, False, Stage.EXPIRED),
        (FIRST, True, True, Stage.ENDED),
        (FIRST, False, True, Stage.ENDED),
    ],
)
def test_stages(today: date, approved: bool, ended: bool, stage: Stage) -> None:
    assert stage_of(first=FIRST, last=LAST, approved=approved, ended=ended, today=today) is stage
