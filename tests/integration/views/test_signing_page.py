"""The signing page by its forms: what it repeats, 422 at the field, 409 with what changed."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from oipsce_site.ledger.queries import entries_of
from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.core.decisions import Ask, Kind
from review.core.signoff.record import STATEMENT
from review.models import Call, SignOff
from tests.factories import case, catalog_source, make_person, make_site, prefilled, publish
from tests.signers import (
    PASSWORD,
    Signer,
    act,
    code_at,
    confirm,
    read_and_decide,
    to_base64,
    with_app,
    with_passkey,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the forms of a test come at once; how soon they may is a case of its own."""
    monkeypatch.setattr("review.core.signoff.pace.LEAST_LOOK", timedelta())


@pytest.fixture
def north() -> Site:
    publish(catalog_source("benefits_verification"))
    return make_site("north")


@pytest.fixture
def ann(north: Site) -> Signer:
    person = make_person(Role.REVIEWER, site=north, username="ann")
    User.objects.filter(pk=person.pk).update(printed_name="Ann Archer")
    return with_passkey(with_app(User.objects.get(pk=person.pk)))


@pytest.fixture
def sue(north: Site) -> User:
    person = make_person(Role.SENIOR_REVIEWER, site=north, username="sue")
    User.objects.filter(pk=person.pk).update(printed_name="Sue Senior")
    return with_app(User.objects.get(pk=person.pk))


@pytest.fixture
def ready(north: Site, ann: Signer) -> UUID:
    call_id = prefilled(case("case_b_call"), north)
    read_and_decide(call_id, ann.user)
    return call_id


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def page_of(client: Client, call_id: UUID, name: str = "review:sign") -> str:
    answer = client.get(reverse(name, args=[call_id]))
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    return answer.content.decode()


def hidden(html: str, prefix: str) -> dict[str, str]:
    """Return the hidden fields of one form of the page."""
    found = re.findall(rf'<input type="hidden" name="({prefix}-\w+)" value="([^"]*)"', html)
    return dict(found)


def typed(html: str, prefix: str, **given: str) -> dict[str, str]:
    """Return a form of the page with what a person types."""
    filled = {"meaning": "reviewed", "password": PASSWORD, **given}
    return {**hidden(html, prefix), **{f"{prefix}-{name}": one for name, one in filled.items()}}


def send(client: Client, call_id: UUID, name: str, given: dict[str, Any]) -> Any:
    return client.post(reverse(name, args=[call_id]), given)


def by_code(client: Client, call_id: UUID, **given: str) -> Any:
    filled = {"code": code_at(datetime.now(UTC)), **given}
    form = typed(page_of(client, call_id), "code", **filled)
    return send(client, call_id, "review:sign_by_code", form)


def answer_of(signer: Signer, html: str) -> dict[str, str]:
    """Return the form that the browser sends once the passkey has answered."""
    challenge = re.search(r"<code>([0-9a-f]{64})</code></p>", html)
    credential = re.search(r'data-credential="([^"]+)"', html)
    intent = re.search(r'name="intent" value="([^"]+)"', html)
    assert challenge is not None
    assert credential is not None
    assert intent is not None
    made = signer.answer(bytes.fromhex(challenge[1]), site="testserver", origin="http://testserver")
    given = {
        "id": credential[1],
        "authenticatorData": to_base64(made.authenticator_data),
        "clientDataJSON": to_base64(made.client_data),
        "signature": to_base64(made.signature),
    }
    return {"intent": intent[1], "credential": json.dumps(given)}


def begin(client: Client, call_id: UUID, **given: str) -> str:
    form = typed(page_of(client, call_id), "passkey", **given)
    answer = send(client, call_id, "review:sign_begin", form)
    assert answer.status_code == 200, answer.content
    html: str = answer.content.decode()
    return html


def test_the_page_repeats_who_signs_what_and_its_legal_effect(ready: UUID, ann: Signer) -> None:
    html = page_of(client_of(ann.user), ready)
    for words in ("Ann Archer", "reviewer", STATEMENT, "benefits-verification 2.0.0", "Case B"):
        assert words in html
    for phase in ("PID", "CSV", "DFV", "DRC", "DCC", "CRN"):
        assert re.search(rf"{phase} <span", html)
    assert re.search(r"Digest of what is shown: <code>[0-9a-f]{64}</code>", html)
    assert "1 of 1 critical edge violated" in html
    assert re.search(r"<code>restrictions</code></dt><dd>true", html)
    for meaning in ("reviewed", "approved", "responsible", "authored"):
        assert f'<option value="{meaning}">' in html


def test_who_has_no_second_factor_is_led_to_set_one_up(ready: UUID, north: Site) -> None:
    senior = make_person(Role.SENIOR_REVIEWER, site=north)
    client = client_of(senior)
    client.get(reverse("review:call", args=[ready]))
    html = page_of(client, ready)
    assert "You have no second factor yet" in html
    assert "<form" not in html.split("Your signature")[1]


@pytest.mark.parametrize("role", [Role.COMPLIANCE_OFFICER, Role.AUDITOR])
def test_who_does_not_sign_sees_no_form_to_sign(role: Role, ready: UUID, north: Site) -> None:
    html = page_of(client_of(make_person(role, site=north)), ready)
    assert "sign/begin" not in html
    assert "sign/code" not in html


def test_a_call_is_signed_by_passkey_through_two_forms(ready: UUID, ann: Signer) -> None:
    client = client_of(ann.user)
    html = begin(client, ready)
    assert 'data-relying-party="testserver"' in html
    form = answer_of(ann, html)
    answer = send(client, ready, "review:sign_complete", form)
    assert (answer.status_code, answer["Location"]) == (302, f"/calls/{ready}/")
    shown = page_of(client, ready, "review:call")
    assert re.search(
        r"Signed by Ann Archer, reviewer - reviewed - \S+Z \(UTC\) - key [0-9a-f]{8} - review 1",
        shown,
    )
    assert SignOff.objects.get().digest in shown
    # A double click and the back button: the first signature is the answer.
    assert send(client, ready, "review:sign_complete", form).status_code == 302
    assert SignOff.objects.count() == 1


def another_call(north: Site) -> UUID:
    call = case("case_b_call")
    source = replace(call.source, external_id="another")
    return prefilled(replace(call, id="another", source=source), north)


def test_a_signature_by_code_leads_to_the_next_call_where_that_is_asked(
    ready: UUID, ann: Signer, north: Site
) -> None:
    following = another_call(north)
    client = client_of(ann.user)
    answer = by_code(client, ready, then_next="on")
    assert answer.status_code == 302
    assert answer["Location"].startswith(f"/calls/{following}/")
    assert Call.objects.get(pk=following).held_by_id == ann.user.pk
    assert SignOff.objects.get().digest in page_of(client, following, "review:call")


def test_a_signature_by_passkey_leads_to_the_next_call_too(
    ready: UUID, ann: Signer, north: Site
) -> None:
    following = another_call(north)
    client = client_of(ann.user)
    html = begin(client, ready, then_next="on")
    [then] = re.findall(r'<input type="hidden" name="then_next" value="([^"]*)"', html)
    form = {**answer_of(ann, html), "then_next": then}
    answer = send(client, ready, "review:sign_complete", form)
    assert answer["Location"].startswith(f"/calls/{following}/")
    assert Call.objects.get(pk=following).held_by_id == ann.user.pk


def test_without_another_call_a_signature_leads_to_the_queue(ready: UUID, ann: Signer) -> None:
    client = client_of(ann.user)
    assert by_code(client, ready, then_next="on")["Location"] == reverse("review:queue")
    html = client.get(reverse("review:queue")).content.decode()
    assert "No other call waits for you now." in html
    assert SignOff.objects.get().digest in html


@pytest.mark.parametrize("is_held", [True, False])
def test_the_next_call_is_proposed_to_who_came_from_the_queue(
    is_held: bool, ready: UUID, ann: Signer
) -> None:
    if is_held:
        until = datetime.now(UTC) + timedelta(minutes=5)
        held = Call.objects.filter(pk=ready)
        held.update(held_by=ann.user, held_until=until, hold_number=1)
    html = page_of(client_of(ann.user), ready)
    [box] = re.findall(r'<input type="checkbox" name="code-then_next"[^>]*>', html)
    assert ("checked" in box) is is_held


REFUSED = [
    ({"meaning": ""}, "Choose what your signature says of this record."),
    ({"meaning": "blessed"}, "Select a valid choice"),
    ({"password": ""}, "Type your password."),
    ({"password": "not mine"}, "This is not your password."),
    ({"code": ""}, "Type the six digits that your app shows now."),
    ({"code": "000000"}, "This code is wrong, or was used before."),
    ({"screen": "x"}, "The form came incomplete"),
    ({"form_key": "x"}, "The form came incomplete"),
    ({"shown": ""}, "The form came incomplete"),
    ({"shown": "WyJ4Il0:1x:y"}, "The form came incomplete"),
]


@pytest.mark.parametrize(("given", "sentence"), REFUSED)
def test_a_refusal_stands_at_its_field_and_no_secret_comes_back(
    given: dict[str, str], sentence: str, ready: UUID, ann: Signer
) -> None:
    answer = by_code(client_of(ann.user), ready, **given)
    html = answer.content.decode()
    assert (answer.status_code, sentence in html) == (422, True)
    assert PASSWORD not in html
    assert "not mine" not in html
    assert not SignOff.objects.exists()


def test_a_form_that_comes_faster_than_anybody_reads_signs_only_when_sent_again(
    ready: UUID, ann: Signer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("review.core.signoff.pace.LEAST_LOOK", timedelta(minutes=1))
    client = client_of(ann.user)
    answer = by_code(client, ready)
    assert answer.status_code == 422
    assert b"sooner after the page than anybody reads" in answer.content
    monkeypatch.setattr("review.core.signoff.pace.LEAST_LOOK", timedelta())
    again = typed(answer.content.decode(), "code", code=code_at(datetime.now(UTC)))
    assert send(client, ready, "review:sign_by_code", again).status_code == 302


def test_the_time_of_another_page_or_person_counts_for_nothing(
    ready: UUID, ann: Signer, sue: User
) -> None:
    client = client_of(sue)
    client.get(reverse("review:call", args=[ready]))
    other = hidden(page_of(client, ready), "code")["code-shown"]
    answer = by_code(client_of(ann.user), ready, shown=other)
    assert (answer.status_code, b"came incomplete" in answer.content) == (422, True)


SPOILT = ["", "{}", "[]", "not json", '{"id": 1}', '{"id": "?"}', "[" * 9000]


@pytest.mark.parametrize("credential", SPOILT)
def test_a_spoilt_answer_signs_nothing(credential: str, ready: UUID, ann: Signer) -> None:
    client = client_of(ann.user)
    form = {**answer_of(ann, begin(client, ready)), "credential": credential}
    assert send(client, ready, "review:sign_complete", form).status_code == 422
    assert not SignOff.objects.exists()


def test_f25_a_stale_page_is_answered_with_what_changed_and_fresh_forms(
    ready: UUID, ann: Signer, sue: User
) -> None:
    client = client_of(ann.user)
    form = typed(page_of(client, ready), "code", code=code_at(datetime.now(UTC)))
    confirm(ready, "PID", sue)
    answer = send(client, ready, "review:sign_by_code", form)
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "Sue Senior, confirm on PID" in html
    assert hidden(html, "code")["code-screen"] != form["code-screen"]
    assert not SignOff.objects.exists()


DATABASE_FAULTS = {
    "disk full": "53100",
    "read-only": "25006",
    "statement timeout": "57014",
    "deadlock": "40P01",
}


@pytest.mark.parametrize("state", DATABASE_FAULTS.values(), ids=DATABASE_FAULTS)
def test_f9_a_database_that_cannot_write_signs_nothing_says_so_and_the_same_form_signs_later(
    state: str, ready: UUID, ann: Signer, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of(ann.user)
    client.raise_request_exception = False
    form = answer_of(ann, begin(client, ready))
    length = len(list(entries_of(ready)))

    def fail(*_: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"do $$ begin raise exception 'x' using errcode = '{state}'; end $$")

    with monkeypatch.context() as broken:
        broken.setattr("review.actions.signing.keep_signed_line", fail)
        answer = send(client, ready, "review:sign_complete", form)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert not SignOff.objects.exists()
    assert len(list(entries_of(ready))) == length
    assert Call.objects.get(pk=ready).state == "IN_REVIEW"
    assert send(client, ready, "review:sign_complete", form).status_code == 302
    assert SignOff.objects.count() == 1


def test_f24_lost_sessions_and_a_new_secret_key_ask_to_sign_in_and_lose_nothing(
    ready: UUID, ann: Signer, settings: Settings
) -> None:
    client = client_of(ann.user)
    form = answer_of(ann, begin(client, ready))
    Session.objects.all().delete()
    settings.SECRET_KEY = "another " * 8
    answer = send(client, ready, "review:sign_complete", form)
    assert (answer.status_code, "/login/" in answer["Location"]) == (302, True)
    client.force_login(ann.user)
    answer = send(client, ready, "review:sign_complete", form)
    assert answer.status_code == 409
    assert b"not begun here" in answer.content
    assert send(client, ready, "review:sign_complete", answer_of(ann, begin(client, ready)))
    assert SignOff.objects.get().call_id == ready


def test_an_answer_from_another_session_signs_nothing(ready: UUID, ann: Signer) -> None:
    form = answer_of(ann, begin(client_of(ann.user), ready))
    answer = send(client_of(ann.user), ready, "review:sign_complete", form)
    assert answer.status_code == 409
    assert b"not begun here" in answer.content


def test_what_is_in_the_way_leads_to_its_row(ready: UUID, ann: Signer) -> None:
    act(ready, Ask(Kind.DOUBT, "CRN", reason="who said it?"), ann.user)
    client = client_of(ann.user)
    html = page_of(client, ready)
    assert "CRN is in doubt" in html
    assert f'href="/calls/{ready}/?row=CRN#row-CRN"' in html
    assert "sign/code" not in html


def test_a_reopened_call_shows_both_signatures_and_who_ended_the_first(
    ready: UUID, ann: Signer, sue: User
) -> None:
    reviewer, senior = client_of(ann.user), client_of(sue)
    assert by_code(reviewer, ready).status_code == 302
    asked = send(reviewer, ready, "review:ask_reopening", {"reason": "A letter came late."})
    assert asked.status_code == 302
    own = page_of(reviewer, ready)
    assert "A senior reviewer who did not ask for it decides." in own
    assert "A letter came late." in page_of(senior, ready)
    given = {"reason": "It changes PID.", "answer": "reopen"}
    assert send(senior, ready, "review:decide_reopening", given).status_code == 302
    assert Call.objects.get(pk=ready).state == "REOPENED"
    assert "stands" in page_of(senior, ready, "review:call").split('id="signatures"')[1]
    confirm(ready, "PID", sue, at=datetime.now(UTC))
    assert by_code(senior, ready).status_code == 302
    shown = page_of(senior, ready, "review:call").split('id="signatures"')[1]
    assert "ended when something was changed, by Sue Senior" in shown
    assert re.search(r"void.*Ann Archer.*stands.*Sue Senior, senior reviewer", shown, re.DOTALL)


@pytest.mark.parametrize("reason", ["", "   ", "x" * 2001])
def test_reopening_asks_why_at_its_field(reason: str, ready: UUID, ann: Signer) -> None:
    client = client_of(ann.user)
    assert by_code(client, ready).status_code == 302
    answer = send(client, ready, "review:ask_reopening", {"reason": reason})
    assert answer.status_code == 422
    assert re.search(rb"Write down why|are kept", answer.content)
    assert Call.objects.get(pk=ready).state == "SIGNED"
