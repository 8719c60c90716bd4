"""A report reads back as it was written, and says nothing of the words of the call."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from review.core.evaluation import quotes_of, report_from_json, report_to_json
from tests.golden.judged import judged, raw_case

CASES = [
    ("benefits_verification", "case_b_call", None),
    ("benefits_verification", "case_b_call", "claimed-identity"),
    ("respiratory_history", "case_a_respiratory", "slice"),
    ("micro", "case_micro", "never-asked"),
]


@pytest.mark.parametrize(("catalog", "case", "variant"), CASES)
def test_a_stored_report_reads_back_as_it_was(catalog: str, case: str, variant: str | None) -> None:
    report = judged(catalog, raw_case(case, variant)).report
    stored = json.dumps(report_to_json(report))
    assert report_from_json(json.loads(stored)) == report


@pytest.mark.parametrize(("catalog", "case", "variant"), CASES)
def test_a_report_is_written_field_by_field_in_the_order_of_its_records(
    catalog: str, case: str, variant: str | None
) -> None:
    report = judged(catalog, raw_case(case, variant)).report
    plain = asdict(report)
    for row in plain["rows"]:
        row["items"] = {item.pop("id"): item for item in row["items"]}
    assert json.dumps(report_to_json(report)) == json.dumps(plain)


def test_the_same_call_gives_the_same_bytes() -> None:
    first, second = (
        json.dumps(report_to_json(judged("micro", raw_case("case_micro")).report), sort_keys=True)
        for _ in range(2)
    )
    assert first == second


def test_without_quotes_no_words_of_the_call_are_in_it() -> None:
    one = judged("benefits_verification", raw_case("case_b_call"))
    stored = json.dumps(report_to_json(one.report))
    for turn in one.call.turns:
        assert turn.text not in stored
    assert "Quillfeather" not in stored
    assert "date of birth matches" not in stored


def test_with_quotes_each_piece_of_evidence_shows_its_words_or_its_event() -> None:
    one = judged("micro", raw_case("case_micro"))
    plain = report_to_json(one.report, quote=quotes_of(one.call))
    shown = {(piece["item"], piece["quote"]) for row in plain["rows"] for piece in row["evidence"]}
    assert ("told", "the scan is covered") not in shown
    assert ("told", "is covered") in shown


@pytest.mark.parametrize(
    ("variant", "phase", "code", "blocked_by"),
    [
        ("claimed-identity", "PID", "REQUIRED_FAILED", None),
        ("no-restrictions", "DCC", "REQUIRED_FAILED", None),
        (None, "DCC", "NOT_REQUIRED", None),
    ],
)
def test_each_row_says_how_it_counts(
    variant: str | None, phase: str, code: str, blocked_by: str | None
) -> None:
    row = judged("benefits_verification", raw_case("case_b_call", variant)).report.row(phase)
    assert (row.code, row.blocked_by) == (code, blocked_by)


def test_the_paper_s_branch_is_blocked_by_the_identity_that_failed() -> None:
    report = judged(
        "benefits_verification_paper", raw_case("case_b_call", "claimed-identity")
    ).report
    blocked = {row.phase: row.blocked_by for row in report.rows if row.blocked_by}
    assert blocked["CSV"] == "PID"
    assert "blocked" in report.row("CSV").reason
