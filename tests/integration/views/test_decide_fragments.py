"""Decisions by their fragments: only what changed comes back, each part for its own place."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse

from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.models import Call, Decision, PhaseRow
from tests.factories import NOON, case, catalog_source, make_person, make_site, prefilled, publish

pytestmark = pytest.mark.django_db(transaction=True)

HTMX = {"HX-Request": "true"}


@pytest.fixture
def north() -> Site:
    publish(catalog_source("benefits_verification"))
    return make_site("north")


@pytest.fixture
def call_id(north: Site) -> UUID:
    return prefilled(case("case_b_call"), north)


def client_of(role: Role, north: Site, name: str) -> Client:
    client = Client(headers=HTMX)
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


def send(client: Client, call_id: UUID, phase: str, kind: str, **typed: Any) -> Any:
    given = {"kind": kind, "revision": 1, "form_key": uuid4(), **typed}
    return client.post(reverse("review:row_decided", args=[call_id, phase]), given)


def places(html: str) -> set[str]:
    """Return the ids of the parts that take their own place."""
    tags = re.findall(r"<[^>]*hx-swap-oob[^>]*>", html)
    return {found[1] for tag in tags if (found := re.search(r'id="([^"]+)"', tag))}


def test_a_confirmation_brings_its_card_the_rows_and_the_counts_and_no_turn(
    ann: Client, call_id: UUID
) -> None:
    answer = send(ann, call_id, "PID", "CONFIRM")
    assert answer.status_code == 200
    assert places(answer.content.decode()) == {
        *("said", "card-PID", "call-state", "rows", "hold"),
    }
    assert "PID saved, decision 1: pass, 45 to 52." in answer.content.decode()
    assert "<html" not in answer.content.decode()


def test_a_moved_start_brings_the_turns_whose_marks_moved_and_the_edges(
    ann: Client, call_id: UUID
) -> None:
    answer = send(ann, call_id, "CSV", "SET_START", start="60", reason="She greets first.")
    found = places(answer.content.decode())
    assert {"t42", "t60", "card-CSV", "edges"} <= found
    assert "card-CRN" not in found
    assert len([one for one in found if re.fullmatch(r"t\d+", one)]) < 6


def test_the_forms_come_back_to_where_they_were_open(ann: Client, call_id: UUID) -> None:
    without = send(ann, call_id, "PID", "CONFIRM").content.decode()
    with_desk = send(ann, call_id, "PID", "CONFIRM", revision=2, desk="1").content.decode()
    assert ('aria-label="Decide PID"' in without, 'aria-label="Decide PID"' in with_desk) == (
        False,
        True,
    )


def test_a_refusal_brings_the_card_with_what_was_typed_and_nothing_else(
    ann: Client, call_id: UUID
) -> None:
    answer = send(ann, call_id, "PID", "SET_START", start="44")
    html = answer.content.decode()
    assert answer.status_code == 422
    assert places(html) == {"said", "card-PID"}
    assert 'value="44"' in html
    assert "contradicts the proposal" in html


def test_c16_two_windows_of_one_person_are_no_conflict_and_two_people_are(
    ann: Client, ben: Client, call_id: UUID
) -> None:
    assert send(ann, call_id, "PID", "SET_FINISH", finish="51", reason="why").status_code == 200
    assert send(ann, call_id, "PID", "SET_FINISH", finish="50", reason="why").status_code == 200
    held = send(ben, call_id, "PID", "SET_FINISH", finish="49", reason="mine & kept")
    assert (held.status_code, "Ann holds this call" in held.content.decode()) == (409, True)
    Call.objects.update(held_until=NOON)
    answer = send(ben, call_id, "PID", "SET_FINISH", finish="49", reason="mine & kept")
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "Meanwhile Ann changed this" in html
    assert "mine &amp; kept" in html
    assert PhaseRow.objects.get(phase="PID").finish_turn == 50


def confirm(client: Client, call_id: UUID, rows: str, key: UUID | None = None) -> Any:
    path = reverse("review:rest_confirmed", args=[call_id])
    return client.post(path, {"rows": rows, "form_key": key or uuid4()})


def test_rows_without_flag_are_confirmed_in_one_act_and_once(ann: Client, call_id: UUID) -> None:
    page = ann.get(reverse("review:call", args=[call_id])).content.decode()
    [rows] = re.findall(r'name="rows" value="([^"]+)"', page)
    key = uuid4()
    for _ in range(2):
        assert confirm(ann, call_id, rows, key).status_code == 200
    assert set(PhaseRow.objects.filter(standing="CONFIRMED").values_list("phase", flat=True)) == {
        *("DFV", "DRC", "DCC", "CRN"),
    }
    assert Decision.objects.count() == 4


TOGETHER = [
    ("a row at a critical edge", "PID:1 CRN:1", 403),
    ("a row that is not there", "CRN:1 NOPE:1", 422),
    ("a row of another revision", "CRN:7", 409),
    ("no row", " ", 422),
    ("no form of ours", "CRN", 422),
]


@pytest.mark.parametrize(("name", "rows", "status"), TOGETHER)
def test_c27_rows_together_are_confirmed_all_or_none(
    name: str, rows: str, status: int, ann: Client, call_id: UUID
) -> None:
    assert confirm(ann, call_id, rows).status_code == status, name
    assert Decision.objects.count() == 0


def test_c17_twenty_decisions_are_taken_back_one_by_one(ann: Client, call_id: UUID) -> None:
    start = list(PhaseRow.objects.order_by("position").values("phase", "start_turn", "verdict"))
    for number in range(20):
        moved = send(ann, call_id, "CSV", "SET_START", start=60 + number, reason="try")
        assert moved.status_code == 200
    for _ in range(20):
        path = reverse("review:decision_undone", args=[call_id])
        assert ann.post(path, {"form_key": uuid4()}).status_code == 200
    assert list(PhaseRow.objects.order_by("position").values("phase", "start_turn", "verdict")) == (
        start
    )
    assert Decision.objects.count() == 40
    nothing = ann.post(reverse("review:decision_undone", args=[call_id]), {"form_key": uuid4()})
    assert (nothing.status_code, b"left to take back" in nothing.content) == (422, True)


def test_an_undo_that_is_sent_twice_takes_back_once(ann: Client, call_id: UUID) -> None:
    send(ann, call_id, "PID", "CONFIRM")
    send(ann, call_id, "CSV", "CONFIRM")
    key = uuid4()
    for _ in range(2):
        path = reverse("review:decision_undone", args=[call_id])
        assert ann.post(path, {"form_key": key}).status_code == 200
    standing = dict(PhaseRow.objects.values_list("phase", "standing"))
    assert (standing["PID"], standing["CSV"]) == ("CONFIRMED", "PROPOSED")
    redone = ann.post(reverse("review:decision_redone", args=[call_id]), {"form_key": uuid4()})
    assert redone.status_code == 200
    assert PhaseRow.objects.get(phase="CSV").standing == "CONFIRMED"


def test_c20_a_selection_counts_in_the_units_of_a_browser(ann: Client, call_id: UUID) -> None:
    [turn] = [one for one in case("case_b_call").turns if one.number == 52]
    first, last = turn.text.index("date of birth"), turn.text.index("date of birth") + 13
    selected = {"first_unit": first, "last_unit": last, "words": turn.text[first:last]}
    typed = {"item": "payer_match", "turn": "52", **selected}
    assert send(ann, call_id, "PID", "SET_EVIDENCE", **typed).status_code == 200
    assert Decision.objects.get().value["start"] == first


BAD_SPANS = [
    ("other words", {"first_unit": 0, "last_unit": 4, "words": "nope"}),
    ("beyond the turn", {"first_unit": 0, "last_unit": 4000, "words": "Okay"}),
    ("turned round", {"first_unit": 9, "last_unit": 4, "words": "Okay"}),
    ("a turn that is not there", {"turn": 4000, "first_unit": 0, "last_unit": 4, "words": "Okay"}),
]


@pytest.mark.parametrize(("name", "typed"), BAD_SPANS)
def test_c21_a_bad_span_is_422_and_kept_in_the_form(
    name: str, typed: dict[str, Any], ann: Client, call_id: UUID
) -> None:
    given = {"item": "payer_match", "turn": "52", **typed}
    answer = send(ann, call_id, "PID", "SET_EVIDENCE", **given)
    assert answer.status_code == 422, name
    assert f'value="{typed["words"]}"' in answer.content.decode()
    assert Decision.objects.count() == 0


def test_what_the_page_saw_of_the_person_is_kept_and_a_blind_confirmation_is_marked(
    ann: Client, call_id: UUID
) -> None:
    seen = send(ann, call_id, "PID", "CONFIRM", seen="yes", spent="1500").content.decode()
    assert "out of view" not in seen
    unseen = send(ann, call_id, "CSV", "CONFIRM", seen="no", spent="300").content.decode()
    assert "confirmed with its evidence out of view" in unseen
    send(ann, call_id, "CRN", "CONFIRM", seen="perhaps", spent="long")
    kept = list(Decision.objects.order_by("number").values_list("evidence_seen", "spent_ms"))
    assert kept == [(True, 1500), (False, 300), (None, None)]
