"""The list: marks, counts, filters and pages as links, and why it is empty."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import pytest
from django.template.loader import render_to_string

from review.presenters.calls_asked import Asked, read_asked
from review.presenters.calls_filters import Menu
from review.presenters.calls_list import CallsPage, show_calls
from review.presenters.catalog_link import CatalogLink
from review.presenters.standing import show_standing
from review.queries import (
    CallCounts,
    CallLine,
    CallList,
    Narrowing,
    Place,
    RunLine,
    SiteName,
    StoredCall,
    WorkerLife,
)
from review.queries.call_counts import Cell

RECEIVED = datetime(2026, 3, 10, 14, 2, tzinfo=UTC)
HERE = Place(RECEIVED, UUID(int=1))
WRITTEN = "1773151320000000-00000000000000000000000000000001"
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
    focus_turn=42,
)


NORTH = (SiteName("north", "North clinic"),)


def found(
    *lines: CallLine,
    total: int | None = None,
    newer: Place | None = None,
    older: Place | None = None,
    sites: tuple[SiteName, ...] = NORTH,
    counts: CallCounts | None = None,
) -> CallList:
    """Return a page of a list; its total is what it shows unless said otherwise."""
    known = len(lines) if total is None else total
    return CallList(lines, known, newer, older, sites, ("benefits", "triage"), counts)


def show(
    page: CallList, narrowing: Narrowing | None = None, place: Place | None = None
) -> CallsPage:
    """Show a list as it was asked for."""
    return show_calls(page, Asked(narrowing or Narrowing(), place))


def menu(page: CallsPage, name: str) -> Menu:
    """Return a menu by its name."""
    return next(one for one in page.menus if one.name == name)


def test_a_line_has_its_three_marks_and_what_is_at_stake() -> None:
    (line,) = show(found(LINE)).lines
    assert [(one.name, one.mark.sign) for one in line.verdicts] == [
        ("Coverage", "✓"),
        ("OrderSafe", "✕"),
        ("CallSuccess", "✕"),
    ]
    assert (line.flagged, line.at_stake, line.state) == (3, 2, "awaiting review")


def test_a_line_leads_to_the_turn_that_is_looked_at_first() -> None:
    quiet = replace(LINE, focus_turn=None)
    assert [line.anchor for line in show(found(LINE, quiet)).lines] == ["#t42", ""]


def test_a_line_names_the_version_that_judges_it_for_a_link() -> None:
    judged, unmapped = show(found(LINE, replace(LINE, catalog=None))).lines
    assert judged.judged_by == CatalogLink("benefits-verification", "1.0.0")
    assert unmapped.judged_by is None


def test_where_the_order_holds_nothing_is_at_stake() -> None:
    safe = replace(LINE, order_safe="pass", call_success="pass")
    (line,) = show(found(safe)).lines
    assert line.at_stake == 0


def test_a_call_without_evaluation_has_marks_that_say_so() -> None:
    raw = replace(LINE, coverage=None, order_safe=None, call_success=None, catalog=None, title="")
    (line,) = show(found(raw)).lines
    assert {one.mark.word for one in line.verdicts} == {"not evaluated"}
    assert (line.title, line.catalog) == ("case-b", "no catalog yet")


@pytest.mark.parametrize(
    ("query", "narrowing"),
    [
        ({}, Narrowing()),
        ({"state": "signed"}, Narrowing(state="SIGNED")),
        ({"state": "nonsense"}, Narrowing()),
        ({"verdict": "fail"}, Narrowing(verdict="fail")),
        ({"verdict": "maybe"}, Narrowing()),
        ({"flag": "order_violation"}, Narrowing(flag="ORDER_VIOLATION")),
        ({"flag": "red"}, Narrowing()),
        ({"catalog": "benefits", "site": "north"}, Narrowing(catalog="benefits", site="north")),
        ({"catalog": "a b", "site": "../x"}, Narrowing()),
        ({"age": "week"}, Narrowing(age="week")),
        ({"age": "century"}, Narrowing()),
        ({"text": "  knee \0 scan "}, Narrowing(text="knee scan")),
        ({"text": "   "}, Narrowing()),
        ({"page": "3"}, Narrowing()),
    ],
)
def test_the_address_is_read_with_care(query: dict[str, str], narrowing: Narrowing) -> None:
    assert read_asked(query) == Asked(narrowing)


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ({"before": WRITTEN}, HERE),
        ({"after": WRITTEN}, replace(HERE, forward=False)),
        ({"before": "yesterday"}, None),
        ({"before": "9" * 18 + "-" + "0" * 32}, None),
        ({"before": "1-" + "g" * 32}, None),
        ({"before": "\u0663-" + "0" * 32}, None),
    ],
)
def test_a_place_is_read_with_care(query: dict[str, str], place: Place | None) -> None:
    assert read_asked(query).place == place


def test_what_was_read_is_written_again() -> None:
    query = {
        "text": "knee scan",
        "verdict": "fail",
        "state": "signed",
        "flag": "partial",
        "catalog": "benefits",
        "site": "north",
        "age": "older",
        "before": WRITTEN,
    }
    assert read_asked(query).pairs == query


def test_pages_are_links_that_keep_the_filter() -> None:
    newer, older = replace(HERE, forward=False), HERE
    page = show(found(LINE, total=120, newer=newer, older=older), Narrowing(state="SIGNED"), HERE)
    assert page.shown == "1 of 120 calls"
    assert page.newer == f"?state=signed&after={WRITTEN}"
    assert page.older == f"?state=signed&before={WRITTEN}"
    assert page.first == "?state=signed"


def test_a_total_beyond_counting_is_told_as_more_than() -> None:
    many = replace(found(LINE, older=HERE), total=None)
    assert show(many, Narrowing(text="call")).shown == "1 of more than 1,000 calls"


def test_one_whole_page_is_counted_in_words() -> None:
    assert show(found(LINE)).shown == "1 call"


def test_a_filter_keeps_the_others_and_goes_back_to_the_beginning() -> None:
    page = show(found(LINE), Narrowing(state="SIGNED", verdict="fail"), HERE)
    verdicts = {one.words: one.query for one in menu(page, "CallSuccess").options}
    assert verdicts["pass"] == "?verdict=pass&state=signed"
    assert verdicts["any verdict"] == "?state=signed"
    assert [one.words for one in menu(page, "CallSuccess").options if one.current] == ["fail"]
    assert menu(page, "State").chosen == "signed"


def test_each_filter_that_is_on_is_taken_away_by_itself() -> None:
    narrowing = Narrowing(flag="ORDER_VIOLATION", site="north", age="week", text="knee")
    page = show(found(LINE), narrowing)
    assert {(chip.name, chip.words): chip.query for chip in page.chips} == {
        ("Words", "knee"): "?flag=order_violation&site=north&age=week",
        ("Flag", "Order violated"): "?text=knee&site=north&age=week",
        ("Site", "North clinic"): "?text=knee&flag=order_violation&age=week",
        ("Received", "last 7 days"): "?text=knee&flag=order_violation&site=north",
    }


def test_searching_keeps_the_filters() -> None:
    page = show(found(LINE), Narrowing(flag="PARTIAL", text="knee"))
    assert (page.text, page.kept) == ("knee", (("flag", "partial"),))
    html = render_to_string("review/calls.html", {"page": page})
    assert '<input type="hidden" name="flag" value="partial">' in html


def test_who_has_one_site_is_not_asked_which() -> None:
    both = (*NORTH, SiteName("south", "South clinic"))
    assert "Site" not in {one.name for one in show(found(LINE)).menus}
    assert "Site" in {one.name for one in show(found(LINE, sites=both)).menus}


def test_an_option_says_how_many_calls_it_leaves() -> None:
    counts = CallCounts(
        (
            Cell("north", "benefits", "SIGNED", "fail", 2),
            Cell("north", "triage", "SIGNED", "pass", 1_500),
            Cell("north", None, "NEEDS_MAPPING", None, 4),
        )
    )
    page = show(found(LINE, counts=counts), Narrowing(state="SIGNED"))
    numbers = {one.words: one.number for one in menu(page, "CallSuccess").options}
    assert numbers == {"any verdict": "1,502", "fail": "2", "undetermined": "0", "pass": "1,500"}
    states = {one.words: one.number for one in menu(page, "State").options}
    assert (states["any state"], states["needs mapping"]) == ("1,506", "4")
    assert {one.number for one in menu(page, "Flag").options} == {""}


@pytest.mark.parametrize(
    ("narrowing", "place", "total", "sites", "why"),
    [
        (Narrowing(), None, 0, NORTH, "No call has been imported for your sites yet."),
        (Narrowing(state="SIGNED"), None, 0, NORTH, "No call of your sites is like this."),
        (Narrowing(), HERE, 3, NORTH, "No call lies beyond this place of the list."),
        (Narrowing(), None, 0, (), "You hold no role at a site whose calls are read."),
        (Narrowing(text="knee"), None, 0, NORTH, "No call of your sites has the words “knee”."),
    ],
)
def test_an_empty_list_says_why(
    narrowing: Narrowing,
    place: Place | None,
    total: int,
    sites: tuple[SiteName, ...],
    why: str,
) -> None:
    page = show(found(total=total, sites=sites), narrowing, place)
    assert page.empty == why
    assert why in render_to_string("review/calls.html", {"page": page})


def test_titles_never_become_markup() -> None:
    hostile = replace(LINE, title="<script>alert(1)</script>", external_id='"><b hx-get="/x">')
    page = show(found(hostile), Narrowing(text='<i>" onx=1', catalog="x"))
    html = render_to_string("review/calls.html", {"page": page})
    assert "<script>alert" not in html
    assert "<b hx-get" not in html
    assert "<i>" not in html


def stored(run: RunLine | None, state: str = "PREFILLING") -> StoredCall:
    line = replace(LINE, state=state)
    return StoredCall(line, UUID(int=2), 1, "demo", True, None, None, (), run, {}, 0)


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
