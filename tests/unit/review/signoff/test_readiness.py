"""What is in the way of a signature, and how many failures suspend signing: tables."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from review.core.decisions import RowShown, Standing
from review.core.lifecycle import CallState
from review.core.rows import Attempt, Row, Verdict
from review.core.signoff.content import SignedContent
from review.core.signoff.readiness import (
    ObstacleCode,
    Review,
    RowStand,
    Signatory,
    find_obstacles,
)
from review.core.signoff.screen import screen_digest
from review.core.signoff.throttle import alerting_rows, is_alert, suspended_until
from tests.unit.review.audit.signing import content

PASSED = Row("PID", 1, 2, Verdict.PASS)
ANN, SUE = (
    Signatory("ann", senior=False, has_opened=True),
    Signatory("sue", senior=True, has_opened=True),
)


def stand(required: bool | None = True, by: tuple[str, ...] = ("ann",), **changes: Any) -> RowStand:
    shown = RowShown(PASSED, PASSED, critical=False, standing=Standing.CONFIRMED)
    return RowStand(required, shown._replace(**changes), frozenset(by))


def review(
    row: RowStand,
    state: CallState = CallState.IN_REVIEW,
    facts: Mapping[str, Any] | None = None,
    **by: str,
) -> Review:
    return Review(state, {"PID": row}, facts or {}, by, {"known": "PID", "other": "PID"})


FLIPPED: dict[str, Any] = {"row": PASSED._replace(verdict=Verdict.FAIL), "critical": True}
LATER: dict[str, Any] = {
    "proposed": PASSED._replace(attempts=(Attempt(1, "anchor"),)),
    "row": PASSED._replace(start=2),
    "critical": True,
}
PROPOSED: dict[str, Any] = {"standing": Standing.PROPOSED}
DOUBTED: dict[str, Any] = {"standing": Standing.DOUBTED}

CASES: list[tuple[str, Review, Signatory, list[str]]] = [
    ("decided by the signer", review(stand()), ANN, []),
    ("required and open", review(stand(**PROPOSED, by=())), ANN, ["ROW_UNDECIDED"]),
    ("perhaps required and open", review(stand(None, (), **PROPOSED)), ANN, ["ROW_UNDECIDED"]),
    ("perhaps required, decided", review(stand(None)), ANN, []),
    ("not required and open", review(stand(False, (), **PROPOSED)), ANN, []),
    ("in doubt", review(stand(**DOUBTED)), ANN, ["ROW_DOUBTED"]),
    ("in doubt though not required", review(stand(False, **DOUBTED)), SUE, ["ROW_DOUBTED"]),
    ("verdict turned round", review(stand(**FLIPPED)), ANN, ["SECOND_MISSING"]),
    ("start moved later", review(stand(**LATER)), SUE, ["SECOND_MISSING"]),
    ("turned round and seconded", review(stand(**FLIPPED, seconded_by="sue")), ANN, []),
    ("turned round, not critical", review(stand(**{**FLIPPED, "critical": False})), ANN, []),
    ("decided by others, reviewer", review(stand(by=("sue",))), ANN, ["ROW_OF_OTHERS"]),
    ("decided by others, senior", review(stand(by=("ann",))), SUE, []),
    ("decided by both, reviewer", review(stand(by=("ann", "sue"))), ANN, []),
    (
        "never opened",
        review(stand()),
        Signatory("sue", senior=True, has_opened=False),
        ["NOT_OPENED"],
    ),
    ("known fact, its row decided", review(stand(), facts={"known": True}), ANN, []),
    (
        "known fact, its row open",
        review(stand(False, (), **PROPOSED), facts={"known": True}),
        ANN,
        ["FACT_UNSETTLED"],
    ),
    (
        "known fact, its row open, set by a person",
        review(stand(False, (), **PROPOSED), facts={"known": True}, known="ann"),
        ANN,
        [],
    ),
    (
        "open fact that may decide",
        review(stand(None), facts={"known": None}),
        ANN,
        ["FACT_UNSETTLED"],
    ),
    ("open fact, nothing hangs on it", review(stand(), facts={"known": None}), ANN, []),
    (
        "open fact, a person says so",
        review(stand(None), facts={"known": None}, known="ann"),
        ANN,
        [],
    ),
    *(
        (f"state {state.value}", review(stand(), state), SUE, ["STATE"])
        for state in CallState
        if state not in (CallState.IN_REVIEW, CallState.AWAITING_SECOND_READER)
    ),
    ("second reader", review(stand(), CallState.AWAITING_SECOND_READER), ANN, []),
]


@pytest.mark.parametrize(
    ("stands", "signer", "codes"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_what_is_in_the_way(stands: Review, signer: Signatory, codes: list[str]) -> None:
    found = find_obstacles(stands, signer)
    assert [one.code for one in found] == [ObstacleCode(code) for code in codes]
    assert all(one.sentence.endswith(".") for one in found)


NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


def minutes(*after: int) -> list[datetime]:
    return [NOON + timedelta(minutes=one) for one in after]


SUSPENDED = [
    (minutes(), None),
    (minutes(0, 1, 2, 3), None),
    (minutes(0, 1, 2, 3, 4), 19),
    (minutes(4, 3, 2, 1, 0), 19),
    (minutes(0, 1, 2, 3, 15), 30),
    (minutes(0, 1, 2, 3, 16), None),
    (minutes(0, 30, 31, 32, 33, 34), 49),
]


@pytest.mark.parametrize(("failures", "until"), SUSPENDED)
def test_five_failures_within_a_quarter_of_an_hour_suspend_for_one(
    failures: list[datetime], until: int | None
) -> None:
    expected = None if until is None else NOON + timedelta(minutes=until)
    assert suspended_until(failures) == expected


def test_the_third_failure_and_every_further_one_is_told() -> None:
    assert [is_alert(count) for count in range(1, 7)] == [False, False, True, True, True, True]


CHANGED: list[tuple[str, Any]] = [
    (name, 9 if isinstance(value, int) and not isinstance(value, bool) else "other")
    for name, value in ((name, getattr(content(), name)) for name in SignedContent.__slots__)
    if name not in ("inputs_digest", "ended")
]


@pytest.mark.parametrize(("name", "value"), [*CHANGED, ("ended", None)])
def test_the_screen_changes_with_whatever_is_signed(name: str, value: Any) -> None:
    assert screen_digest(content(**{name: value})) != screen_digest(content())


def test_new_nonces_leave_the_screen_as_it_is() -> None:
    assert screen_digest(content(inputs_digest="9" * 64)) == screen_digest(content())


NO, YES = False, True
ROWS = [
    ("nothing", [], []),
    ("two wrong", [NO, NO], []),
    ("three wrong", [NO, NO, NO], [3]),
    ("a right one between", [NO, NO, YES, NO, NO], []),
    ("two rows", [NO, NO, NO, YES, NO, NO, NO, NO], [3, 4]),
]


@pytest.mark.parametrize(("tried", "counts"), [one[1:] for one in ROWS], ids=[r[0] for r in ROWS])
def test_rows_of_failures_that_are_told(tried: list[bool], counts: list[int]) -> None:
    given = list(zip(minutes(*range(len(tried))), tried, strict=True))
    assert [one.count for one in alerting_rows(given)] == counts


def test_a_told_row_says_when_it_was_and_until_when_it_suspended() -> None:
    [row] = alerting_rows((at, False) for at in minutes(0, 1, 2, 3, 4, 40))
    assert (row.first, row.last) == (NOON, NOON + timedelta(minutes=40))
    assert row.suspended_until == NOON + timedelta(minutes=19)
