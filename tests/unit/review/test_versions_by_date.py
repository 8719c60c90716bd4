"""One call, two verdicts: the version in force on the date of the call judges it.

The Medicare sales call says the disclaimer at 67 seconds, before any benefits. The rule of its day
decides: version 1 wants it in the first minute, version 2 before the first benefit.
"""

from __future__ import annotations

import json
from datetime import date
from functools import cache
from pathlib import Path

import pytest

from catalogs.core.document import Document, load_document
from catalogs.core.document.choosing import (
    Choice,
    applicable,
    choose,
    choosing_attributes,
)
from review.core.cascade.pipeline import prepare, scalar_attributes
from review.core.evaluation import Report, judge_call
from review.core.parsers import parse_calls
from review.core.transcript import Call

ROOT = Path(__file__).resolve().parents[3]
CASES = ROOT / "review" / "shipped" / "cases" / "case_drafts.json"
FIRST_MINUTE, BEFORE_BENEFITS = "tpmo_medicare_v1", "tpmo_medicare"


@cache
def version(stem: str) -> Document:
    document, findings = load_document(
        (ROOT / "catalogs" / "shipped" / f"{stem}.yaml").read_bytes()
    )
    assert document is not None, findings
    return document


def sale(on: str | None) -> Call:
    """Return the sales call as if it were held on a day, or on no known day."""
    content = json.loads(CASES.read_text(encoding="utf-8"))
    raw = next(call for call in content["calls"] if call["id"] == "tpmo-sale")
    raw["call"]["date"] = on
    if on is None:
        del raw["call"]["date"]
    parsed = parse_calls(json.dumps({**content, "calls": [raw]}).encode(), name="sale.json")
    assert len(parsed.calls) == 1, parsed.findings
    return parsed.calls[0]


def chosen(call: Call) -> Choice:
    versions = (version(FIRST_MINUTE), version(BEFORE_BENEFITS))
    return choose(versions, scalar_attributes(call), call.date)


def judged(on: str) -> tuple[str, Report]:
    call = sale(on)
    choice = chosen(call)
    assert choice.document is not None, choice.sentence
    return choice.document.version, judge_call(call, prepare(choice.document)).report


def test_both_versions_are_one_catalog_and_their_windows_touch_without_overlap() -> None:
    old, new = version(FIRST_MINUTE), version(BEFORE_BENEFITS)
    assert (old.slug, new.slug) == ("tpmo-medicare", "tpmo-medicare")
    assert (old.version.split(".")[0], new.version.split(".")[0]) == ("1", "2")
    assert (old.effective_from, old.effective_to) == (date(2023, 9, 30), date(2026, 9, 30))
    assert (new.effective_from, new.effective_to) == (date(2026, 10, 1), None)


@pytest.mark.parametrize("on", ["2023-09-30", "2025-05-05", "2026-09-30"])
def test_a_call_of_the_old_days_fails_by_the_first_minute(on: str) -> None:
    number, report = judged(on)
    assert number == version(FIRST_MINUTE).version
    assert (report.coverage, report.order_safe, report.call_success) == ("fail", "pass", "fail")
    disclaimer = next(row for row in report.rows if row.phase == "TPMO_DISC")
    assert (disclaimer.start, disclaimer.finish, disclaimer.verdict) == (9, "never", "fail")


@pytest.mark.parametrize("on", ["2026-10-01", "2026-10-20", "2031-01-01"])
def test_the_same_call_of_the_new_days_passes_before_the_benefits(on: str) -> None:
    number, report = judged(on)
    assert number == version(BEFORE_BENEFITS).version
    assert (report.coverage, report.order_safe, report.call_success) == ("pass", "pass", "pass")
    rows = {row.phase: (row.start, row.finish, row.verdict) for row in report.rows}
    assert (rows["TPMO_DISC"], rows["BENEFITS"]) == ((9, 9, "pass"), (19, 19, "pass"))


def test_a_date_before_every_version_gives_the_sentence_that_names_them() -> None:
    choice = chosen(sale("2023-09-29"))
    old, new = version(FIRST_MINUTE).version, version(BEFORE_BENEFITS).version
    assert choice.document is None
    assert choice.sentence == (
        f"No version is in force on 2023-09-29 (there are: tpmo-medicare {old}, "
        f"tpmo-medicare {new})."
    )


def test_a_call_without_a_date_gives_its_sentence() -> None:
    call = sale(None)
    assert call.date is None
    assert chosen(call) == Choice(
        None, "The call has no date, so no catalog version can be chosen. Set its date."
    )


def test_a_person_is_asked_for_what_the_conditions_read() -> None:
    asked = choosing_attributes((version(FIRST_MINUTE), version("debt_collection")))
    assert [(one.name, one.kind, one.values) for one in asked] == [
        ("type", "string", ("debt_collection", "ma_sales"))
    ]
    attributes = scalar_attributes(sale("2026-05-01"))
    both = (version(FIRST_MINUTE), version("debt_collection"))
    assert applicable(both, attributes, date(2026, 5, 1)) == (version(FIRST_MINUTE),)
    assert applicable(both, attributes, date(1999, 5, 1)) == ()
