"""The list: marks, counts, filters and pages as links, and why it is empty."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import pytest
from django.template.loader import render_to_string

from review.presenters.calls_list import PAGE_SIZE, Asked, read_asked, show_calls
from review.presenters.catalog_link import CatalogLink
from review.presenters.standing import show_standing
from review.queries import CallLine, CallList, RunLine, StoredCall, WorkerLife

RECEIVED = datetime(2026, 3, 10, 14, 2, tzinfo=UTC)
LINE = CallLine(
    id=UUID(int=1),
    site_name="North clinic",
    external_id="case-b",
    title="Case B",
    catalog="benefits-verification 1.0.0",
    state="AWAITING_REVIEW",
    state_sentence="Pre-filled; waits for a reviewer.",
    coverage="pass",
    order_safe="fail",
    call_success="fail",
    flagged=3,
    critical=2,
    turn_count=110,
    call_date=date(2026, 3, 10),
    received_at=RECEIVED,
)


def test_a_line_has_its_three_marks_and_what_is_at_stake() -> None:
    page = show_calls(CallList((LINE,), 1), Asked(), sees_any_site=True)
    (line,) = page.lines
    assert [(one.name, one.mark.sign) for one in line.verdicts] == [
        ("Coverage", "✓"),
        ("OrderSafe", "✕"),
        ("CallSuccess", "✕"),
    ]
    assert (line.flagged, line.at_stake, line.state) == (3, 2, "awaiting review")


def test_a_line_names_the_version_that_judges_it_for_a_link() -> None:
    (line,) = show_calls(CallList((LINE,), 1), Asked(), sees_any_site=True).lines
    assert line.judged_by == CatalogLink("benefits-verification", "1.0.0")
    unmapped = replace(LINE, catalog=None)
    (line,) = show_calls(CallList((unmapped,), 1), Asked(), sees_any_site=True).lines
    assert line.judged_by is None


def test_where_the_order_holds_nothing_is_at_stake() -> None:
    safe = replace(LINE, order_safe="pass", call_success="pass")
    (line,) = show_calls(CallList((safe,), 1), Asked(), sees_any_site=True).lines
    assert line.at_stake == 0


def test_a_call_without_evaluation_has_marks_that_say_so() -> None:
    raw = replace(LINE, coverage=None, order_safe=None, call_success=None, catalog=None, title="")
    (line,) = show_calls(CallList((raw,), 1), Asked(), sees_any_site=True).lines
    assert {one.mark.word for one in line.verdicts} == {"not evaluated"}
    assert (line.title, line.catalog) == ("case-b", "no catalog yet")


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ({}, Asked()),
        ({"state": "signed", "page": "3"}, Asked(state="SIGNED", page=3)),
        ({"state": "nonsense", "page": "-1"}, Asked()),
        ({"verdict": "fail", "page": "2"}, Asked(verdict="fail", page=2)),
        ({"verdict": "maybe"}, Asked()),
        ({"page": "0"}, Asked()),
        ({"page": "9" * 30}, Asked()),
        ({"page": "\u0663"}, Asked()),
    ],
)
def test_the_address_is_read_with_care(query: dict[str, str], asked: Asked) -> None:
    assert read_asked(query) == asked


def test_pages_are_links_that_keep_the_filter() -> None:
    lines = (LINE,) * PAGE_SIZE
    page = show_calls(CallList(lines, 120), Asked(state="SIGNED", page=2), sees_any_site=True)
    assert page.shown == "51 to 100 of 120"
    assert page.previous == "?state=signed"
    assert page.next == "?state=signed&page=3"
    assert [one.words for one in page.states if one.current] == ["signed"]


@pytest.mark.parametrize(
    ("asked", "total", "sees", "why"),
    [
        (Asked(), 0, True, "No call has been imported for your sites yet."),
        (Asked(state="SIGNED"), 0, True, "No call of your sites is like this."),
        (Asked(page=9), 3, True, "The list has no page with this number."),
        (Asked(), 0, False, "You hold no role at a site whose calls are read."),
    ],
)
def test_an_empty_list_says_why(asked: Asked, total: int, sees: bool, why: str) -> None:
    page = show_calls(CallList((), total), asked, sees_any_site=sees)
    assert page.empty == why
    html = render_to_string("review/calls.html", {"page": page})
    assert why in html


def test_titles_never_become_markup() -> None:
    hostile = replace(LINE, title="<script>alert(1)</script>", external_id='"><b hx-get="/x">')
    page = show_calls(CallList((hostile,), 1), Asked(), sees_any_site=True)
    html = render_to_string("review/calls.html", {"page": page})
    assert "<script>alert" not in html
    assert "<b hx-get" not in html


def stored(run: RunLine | None, state: str = "PREFILLING") -> StoredCall:
    line = replace(LINE, state=state)
    return StoredCall(line, UUID(int=2), 1, "demo", True, None, None, (), run)


@pytest.mark.parametrize(
    ("run", "job"),
    [
        (None, ""),
        (
            RunLine("QUEUED", 0, RECEIVED, None, ""),
            "Waiting for a worker since 2026-03-10 14:02 UTC.",
        ),
        (
            RunLine("QUEUED", 1, RECEIVED, None, "lease ran out"),
            "Waiting for a worker since 2026-03-10 14:02 UTC. Attempt 1 failed: lease ran out.",
        ),
        (RunLine("RUNNING", 2, RECEIVED, None, ""), "A worker reads it now, attempt 2."),
        (
            RunLine("FAILED", 3, RECEIVED, RECEIVED + timedelta(minutes=1), "seal broken."),
            "The pre-fill gave up after 3 attempts: seal broken.",
        ),
    ],
)
def test_how_far_the_pre_fill_is(run: RunLine | None, job: str) -> None:
    assert show_standing(stored(run), None).job == job


@pytest.mark.parametrize(
    ("worker", "sentence"),
    [
        (WorkerLife(RECEIVED, is_alive=True), "Reload the page in a moment"),
        (WorkerLife(RECEIVED, is_alive=False), "The worker is not running since 10 March, 14:02"),
        (WorkerLife(None, is_alive=False), "No worker has run yet."),
    ],
)
def test_a_dead_worker_is_said_where_one_is_awaited(worker: WorkerLife, sentence: str) -> None:
    assert show_standing(stored(None), worker).next.startswith(sentence)


def test_verdicts_are_provisional_until_signed() -> None:
    assert show_standing(stored(None, "IN_REVIEW"), None).provisional
    assert not show_standing(stored(None, "SIGNED"), None).provisional


def test_a_filter_keeps_the_other_and_goes_back_to_the_first_page() -> None:
    asked = Asked(state="SIGNED", verdict="fail", page=3)
    page = show_calls(CallList((LINE,), 1), asked, sees_any_site=True)
    links = {one.words: one.query for one in (*page.verdicts, *page.states)}
    assert links["pass"] == "?state=signed&verdict=pass"
    assert links["all verdicts"] == "?state=signed"
    assert links["all states"] == "?verdict=fail"
    assert [one.words for one in page.verdicts if one.current] == ["fail"]
