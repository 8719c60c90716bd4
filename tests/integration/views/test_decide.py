"""Decisions by forms alone: stored and led back, 422 at the field, 409 with both versions, undo."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.models import Call, Decision, PhaseRow
from tests.factories import case, catalog_source, make_person, make_site, prefilled, publish

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def north() -> Site:
    publish(catalog_source("benefits_verification"))
    return make_site("north")


@pytest.fixture
def call_id(north: Site) -> UUID:
    return prefilled(case("case_b_call"), north)


def client_of(role: Role, north: Site, name: str) -> Client:
    client = Client()
    person = make_person(role, site=north, username=name.lower())
    User.objects.filter(pk=person.pk).update(printed_name=name)
    client.force_login(person)
    return client


@pytest.fixture
def ann(north: Site) -> Client:
    return client_of(Role.REVIEWER, north, "Ann")


@pytest.fixture
def ben(north: Site) -> Client:
    return client_of(Role.REVIEWER, north, "Ben")


def page_of(client: Client, call_id: UUID, asked: str = "") -> str:
    answer = client.get(reverse("review:call", args=[call_id]) + asked)
    assert answer.status_code == 200
    return answer.content.decode()


def send(client: Client, call_id: UUID, phase: str, kind: str, **typed: Any) -> Any:
    given = {"kind": kind, "revision": 1, "form_key": uuid4(), **typed}
    return client.post(reverse("review:decide_row", args=[call_id, phase]), given)


def test_the_selected_row_has_the_forms_and_any_other_is_a_link_away(
    ann: Client, call_id: UUID
) -> None:
    html = page_of(ann, call_id)
    assert 'aria-label="Decide ' not in html
    assert 'href="?row=CRN#row-CRN"' in html
    chosen = page_of(ann, call_id, "?row=CRN")
    assert chosen.count('aria-label="Decide ') == 1
    assert 'aria-label="Decide CRN"' in chosen
    assert page_of(ann, call_id, "?row=NOWHERE").count('aria-label="Decide ') == 0


@pytest.mark.parametrize("role", [Role.AUDITOR, Role.COMPLIANCE_OFFICER])
def test_who_only_reads_sees_no_form(role: Role, call_id: UUID, north: Site) -> None:
    html = page_of(client_of(role, north, "Eve"), call_id, "?row=PID")
    assert "Decide this row" not in html
    assert 'aria-label="Decide ' not in html
    assert "Confirm as shown" not in html


def test_a_confirmed_row_says_by_whom(ann: Client, call_id: UUID) -> None:
    answer = send(ann, call_id, "PID", "CONFIRM")
    assert answer.status_code == 302
    assert answer["Location"] == f"/calls/{call_id}/?row=PID#row-PID"
    html = page_of(ann, call_id, "?row=PID")
    assert re.search(r"●.*confirmed.*PID.* · Ann", html, re.DOTALL)
    assert "1. Ann confirmed the row" in html
    assert "in review" in html


def test_a_double_click_and_a_resent_form_apply_once(ann: Client, call_id: UUID) -> None:
    key = uuid4()
    for _ in range(3):
        assert send(ann, call_id, "PID", "CONFIRM", form_key=key).status_code == 302
    assert Decision.objects.count() == 1


def test_a_corrected_start_changes_banner_and_row(ann: Client, call_id: UUID) -> None:
    typed = {"start": "60", "reason": "She greets first."}
    assert send(ann, call_id, "CSV", "SET_START", **typed).status_code == 302
    html = page_of(ann, call_id, "?row=CSV")
    assert "Ann set the start to turn 60" in html
    assert "She greets first." in html
    assert "Needs a second person" in html
    assert "Coverage and OrderSafe both pass" in html
    assert re.search(r"<dt>start</dt><dd>Ann\s*</dd>", html)


def end_holds() -> None:
    """Let the time of every hold be over."""
    Call.objects.update(held_until=timezone.now() - timedelta(seconds=1))


REFUSED = [
    ("SET_START", {"start": "44"}, "contradicts the proposal", "set-start-reason"),
    ("SET_START", {"start": "early"}, "Write a turn number", "set-start-start"),
    ("SET_START", {"start": "9" * 20}, "Write a turn number", "set-start-start"),
    ("SET_FINISH", {"finish": "500", "reason": "why"}, "no turn 500", "set-finish-finish"),
    ("SET_VERDICT", {"verdict": "fail", "at": "-1"}, "greater than", "set-verdict-at"),
    ("DOUBT", {"reason": " "}, "what is in doubt", "doubt-reason"),
    (
        "SET_EVIDENCE",
        {"item": "payer_match", "turn": "52", "words": "nobody says this"},
        "word for word",
        "set-evidence-words",
    ),
    ("SET_ITEM", {"item": "nothing", "met": "yes"}, "Select a valid choice", "set-item-item"),
]


@pytest.mark.parametrize(("kind", "typed", "sentence", "field"), REFUSED)
def test_a_refusal_stands_at_its_field_and_keeps_what_was_typed(
    kind: str, typed: dict[str, str], sentence: str, field: str, ann: Client, call_id: UUID
) -> None:
    answer = send(ann, call_id, "PID", kind, **typed)
    html = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in html
    assert f'id="{field}_error"' in html
    for name in ("start", "words"):
        if name in typed:
            assert f'value="{typed[name]}"' in html
    assert Decision.objects.count() == 0


@pytest.mark.parametrize("given", [{}, {"kind": "SIGN"}, {"kind": "CONFIRM", "revision": "x"}])
def test_a_form_that_makes_no_sense_is_said_so(
    given: dict[str, str], ann: Client, call_id: UUID
) -> None:
    answer = ann.post(reverse("review:decide_row", args=[call_id, "PID"]), given)
    assert answer.status_code == 422
    assert b"came incomplete" in answer.content


def test_evidence_is_found_by_its_words(ann: Client, call_id: UUID) -> None:
    [turn] = [one for one in case("case_b_call").turns if one.number == 52]
    words = turn.text[3:25]
    typed = {"item": "payer_match", "turn": "52", "words": words}
    assert send(ann, call_id, "PID", "SET_EVIDENCE", **typed).status_code == 302
    start = turn.text.find(words.strip())
    assert Decision.objects.get().value["start"] == start


def test_two_people_on_one_row_the_second_sees_both_versions(
    ann: Client, ben: Client, call_id: UUID
) -> None:
    send(ann, call_id, "PID", "SET_FINISH", finish="51", reason="Earlier.")
    end_holds()
    answer = send(ben, call_id, "PID", "SET_FINISH", finish="50", reason="Mine & yours")
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "Meanwhile Ann changed this" in html
    assert "Ann set the finish to turn 51" in html
    assert re.search(r">finish</th><td>51</td><td>50</td>", html)
    assert 'value="50"' in html
    assert "Mine &amp; yours</textarea>" in html
    assert PhaseRow.objects.get(phase="PID").finish_turn == 51
    # Sent again with the revision of the page that showed both, it holds.
    again = send(ben, call_id, "PID", "SET_FINISH", finish="50", reason="Still", revision=2)
    assert again.status_code == 302
    assert PhaseRow.objects.get(phase="PID").finish_turn == 50


def test_who_is_kept_out_by_a_hold_learns_by_whom_and_keeps_what_they_typed(
    ann: Client, ben: Client, call_id: UUID
) -> None:
    send(ann, call_id, "CSV", "CONFIRM")
    answer = send(ben, call_id, "PID", "SET_FINISH", finish="50", reason="Mine & yours")
    html = answer.content.decode()
    assert answer.status_code == 409
    assert re.search(r"Ann holds this call until \d\d:\d\d UTC", html)
    assert 'value="50"' in html
    assert "Mine &amp; yours</textarea>" in html
    assert Decision.objects.count() == 1


def test_ones_own_decision_is_taken_back_and_done_again(
    ann: Client, ben: Client, call_id: UUID
) -> None:
    send(ann, call_id, "CSV", "SET_START", start="60", reason="why")
    assert "Take back" in page_of(ann, call_id, "?row=CSV")
    assert "Take back" not in page_of(ben, call_id, "?row=CSV")
    end_holds()
    assert send(ben, call_id, "CSV", "UNDO", of="1", revision=2).status_code == 422
    assert send(ann, call_id, "CSV", "UNDO", of="1", revision=2).status_code == 302
    html = page_of(ann, call_id, "?row=CSV")
    assert "(taken back)" in html
    assert ">Redo<" in html
    assert send(ann, call_id, "CSV", "UNDO", of="2", revision=3).status_code == 302
    assert PhaseRow.objects.get(phase="CSV").start_turn == 60


def test_a_fact_is_decided_and_its_requirements_follow(ann: Client, call_id: UUID) -> None:
    html = page_of(ann, call_id, "?fact=restrictions")
    assert "Set the fact" in html
    path = reverse("review:decide_fact", args=[call_id, "restrictions"])
    given = {"kind": "SET_FACT", "revision": 1, "form_key": uuid4(), "fact_value": "false"}
    refused = ann.post(path, given)
    assert (refused.status_code, b"Write down why" in refused.content) == (422, True)
    taken = ann.post(path, {**given, "reason": "No authorization is needed."})
    assert taken["Location"] == f"/calls/{call_id}/?fact=restrictions#facts"
    assert PhaseRow.objects.get(phase="DCC").required == "YES"
    assert "Ann set the fact to false" in page_of(ann, call_id, "?fact=restrictions")
    missing = reverse("review:decide_fact", args=[call_id, "weather"])
    assert ann.post(missing, given).status_code == 404


def test_a_signed_call_has_no_forms(ann: Client, call_id: UUID) -> None:
    Call.objects.filter(pk=call_id).update(state="SIGNED")
    assert "Confirm as shown" not in page_of(ann, call_id, "?row=PID")
    answer = send(ann, call_id, "PID", "CONFIRM")
    assert (answer.status_code, b"are not decided now" in answer.content) == (422, True)
