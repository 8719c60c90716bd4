"""What may be attested: a period that is over, and counts that add up."""

from __future__ import annotations

from datetime import date

import pytest

from review.core.compliance.attestation import COUNTS, CannotAttest, Universe, check_universe

TODAY = date(2026, 11, 29)


def universe(changes: dict[str, int], last: date = date(2026, 10, 31)) -> Universe:
    """Return counts that add up: six calls, four signed, one of them reopened."""
    counts = {
        **dict.fromkeys(COUNTS, 0),
        "calls": 7,
        "withdrawn": 1,
        "in_scope": 6,
        "unmapped": 1,
        "in_review": 1,
        "signed": 3,
        "reopened": 1,
        "signed_random": 1,
        "signed_risk": 3,
        "passed": 1,
        "failed_coverage": 1,
        "failed_order": 1,
        "failed_both": 1,
    }
    return Universe("site", date(2026, 10, 1), last, {**counts, **changes}, {"c 1.0.0": 4})


def test_counts_that_add_up_may_be_attested() -> None:
    check_universe(universe({}), TODAY)


@pytest.mark.parametrize(
    "changes",
    [
        {"calls": 8},
        {"in_scope": 7, "calls": 8},
        {"signed": 4},
        {"signed_other": 1},
        {"undetermined": 1},
        {"passed": 0},
    ],
)
def test_counts_that_do_not_are_refused(changes: dict[str, int]) -> None:
    with pytest.raises(CannotAttest, match="do not add up"):
        check_universe(universe(changes), TODAY)


@pytest.mark.parametrize("last", [TODAY, date(2026, 12, 31)])
def test_a_period_that_is_not_over_is_refused(last: date) -> None:
    with pytest.raises(CannotAttest, match="not over yet"):
        check_universe(universe({}, last), TODAY)


def test_a_record_holds_every_count_and_no_rate() -> None:
    plain = universe({}).plain()
    assert list(plain["counts"]) == list(COUNTS)
    assert all(isinstance(number, int) for number in plain["counts"].values())
    assert plain["versions"] == [["c 1.0.0", 4]]
