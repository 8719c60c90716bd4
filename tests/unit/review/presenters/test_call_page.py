"""Whole pages: the shipped cases as values, and hostile words as the text they are."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

import pytest
from django.template.loader import render_to_string

from catalogs.core.document import Document
from catalogs.core.findings import warning
from review.core.transcript import Call
from review.presenters.call_page import CallPage, Evaluated, show_call
from review.presenters.standing import Standing
from tests.unit.review.presenters.catalog import judged, shipped_call, shipped_catalog

STANDING = Standing("awaiting review", "Pre-filled; waits for a reviewer.", "", True, "")
HOSTILE = '<script>alert(1)</script><b hx-get="/x" onclick="y">covered</b>'


def page_of(call: Call, document: Document) -> CallPage:
    return show_call(call, STANDING, report=judged(call, document), document=document)


def evaluated(page: CallPage) -> Evaluated:
    assert page.evaluated is not None
    return page.evaluated


def rendered(page: CallPage) -> str:
    return render_to_string("review/call.html", {"page": page, "call_id": uuid4()})


@pytest.fixture(scope="module")
def case_b() -> CallPage:
    return page_of(shipped_call("case_b_call"), shipped_catalog("benefits_verification"))


def test_what_is_left_to_decide_is_said_until_the_call_is_signed(case_b: CallPage) -> None:
    assert "to decide" in evaluated(case_b).progress
    call, document = shipped_call("case_b_call"), shipped_catalog("benefits_verification")
    signed = replace(STANDING, words="signed", provisional=False)
    page = show_call(call, signed, report=judged(call, document), document=document)
    assert not evaluated(page).progress


def test_case_b_fails_by_its_one_critical_edge(case_b: CallPage) -> None:
    banner = evaluated(case_b).banner
    assert [(tile.name, tile.mark.word, tile.sentence) for tile in banner.tiles] == [
        ("Coverage", "pass", "all 5 required phases passed"),
        ("OrderSafe", "fail", "1 of 1 critical edge violated"),
        ("CallSuccess", "fail", "OrderSafe fails"),
    ]
    (wrong,) = banner.edges
    assert [piece.anchor for piece in wrong.pieces if piece.anchor] == ["t42", "t52"]
    assert "".join(piece.text for piece in wrong.would_pass) == "start of CSV after turn 52"
    assert wrong.rationale.startswith("Coverage is PHI.")
    assert not any(wrong.rationale in piece.text for piece in wrong.pieces)


def test_case_b_shows_first_where_the_order_broke(case_b: CallPage) -> None:
    assert [line.number for line in case_b.transcript.lines if line.focal] == [42]


def test_only_the_first_flagged_row_is_open(case_b: CallPage) -> None:
    assert [row.phase for row in evaluated(case_b).rows if row.open] == ["PID"]
    assert evaluated(case_b).flagged == 2


def test_a_row_that_is_not_required_names_the_fact(case_b: CallPage) -> None:
    (row,) = [row for row in evaluated(case_b).rows if row.phase == "DCC"]
    assert row.is_required is False
    assert row.requirement == "not required: restrictions = true"


def test_items_are_quoted_from_the_stored_text(case_b: CallPage) -> None:
    (row,) = [row for row in evaluated(case_b).rows if row.phase == "PID"]
    shown = [(item.mark.sign, item.shown.turn, item.shown.text) for item in row.items if item.shown]
    assert shown == [
        ("✓", 46, "member ID is"),
        ("✓", 50, "born"),
        ("✓", 52, "date of birth matches"),
    ]
    assert [(one.value, one.how) for one in row.decided] == [
        ("start", "anchor"),
        ("finish", "rule"),
        ("verdict", "rule"),
    ]


def test_a_per_item_phase_lists_its_instances(case_b: CallPage) -> None:
    rows = {row.phase: row for row in evaluated(case_b).rows}
    instances = rows["DFV"].instances
    assert instances is not None
    assert [(one.key, one.start.text, one.finish.text) for one in instances] == [
        ("fictorol", "82", "89"),
        ("imaginumab", "92", "99"),
    ]
    assert rows["PID"].instances is None


def test_twelve_phases_have_twelve_hues_and_lanes() -> None:
    page = page_of(shipped_call("case_a_respiratory"), shipped_catalog("respiratory_history"))
    picture = evaluated(page).picture
    assert picture is not None
    assert [lane.hue for lane in picture.lanes] == list(range(1, 13))
    assert page.transcript.wide
    assert rendered(page).count('class="lane hue-') == 12


def test_words_of_a_call_never_become_markup() -> None:
    call = shipped_call("case_micro")
    first = replace(call.turns[0], text=HOSTILE)
    told = replace(call.turns[1], text=f"Yes, the scan is covered {HOSTILE}")
    speakers = {key: replace(who, label=HOSTILE) for key, who in call.speakers.items()}
    call = replace(call, title=HOSTILE, turns=(first, told, *call.turns[2:]), speakers=speakers)
    html = rendered(page_of(call, shipped_catalog("micro")))
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert " hx-get=" not in html.replace("&lt;b hx-get=", "")
    assert "style=" not in html


def test_each_text_finds_its_own_direction() -> None:
    call = shipped_call("case_micro")
    call = replace(
        call, turns=tuple(replace(turn, text="\u05e9\u05dc\u05d5\u05dd") for turn in call.turns)
    )
    html = rendered(page_of(call, shipped_catalog("micro")))
    assert html.count('<p dir="auto">') == len(call.turns)


def test_a_call_that_has_not_ended_says_that_the_rest_is_open() -> None:
    call = shipped_call("case_b_call")
    cut = replace(call, ended=False, turns=call.turns[:47], events=())
    page = page_of(cut, shipped_catalog("benefits_verification"))
    banner = evaluated(page).banner
    assert banner.ending == "The call has not ended: what is not done yet is open, not failed."
    assert [tile.mark.word for tile in banner.tiles] == ["undetermined", "fail", "fail"]
    picture = evaluated(page).picture
    assert picture is not None
    assert picture.has_dotted
    assert "".join(piece.text for piece in banner.edges[0].pieces).endswith(
        "is violated, whatever follows."
    )


def test_without_an_evaluation_the_page_says_what_is_awaited() -> None:
    standing = Standing("needs mapping", "Who speaks as 'x' is not known.", "Map it.", True, "")
    found = (warning("role_unknown", "turn 1", "Nothing says which role 'x' has."),)
    html = rendered(show_call(shipped_call("case_micro"), standing, findings=found))
    assert "Who speaks as &#x27;x&#x27; is not known." in html
    assert "Nothing says which role" in html
    assert "<svg" not in html


def test_a_call_without_turns_is_a_page_too() -> None:
    call = replace(shipped_call("case_micro"), turns=(), events=())
    assert "This call holds no turn" in rendered(show_call(call, STANDING))
