"""The page that signs several calls: what it lists, its two buttons, what it says of left-outs."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from oipsce_site.people.roles import Role
from review.core.decisions import Ask, Kind
from review.core.signoff.record import STATEMENT
from review.models import SignOff
from tests.factories import case, catalog_source, make_person, prefilled, publish, raw_micro, read
from tests.integration.review.batch_acts import without_critical_edges
from tests.signers import (
    PASSWORD,
    Signer,
    act,
    code_at,
    read_and_decide,
    to_base64,
    with_app,
    with_passkey,
)

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = "review:sign_several"


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("review.core.signoff.pace.LEAST_LOOK", timedelta())


@pytest.fixture
def ann() -> Signer:
    return with_passkey(with_app(make_person(Role.REVIEWER, username="ann")))


@pytest.fixture
def calls(ann: Signer) -> list[UUID]:
    publish(without_critical_edges())
    found = [prefilled(read(raw_micro(id=f"call-{number}"))) for number in range(3)]
    for one in found:
        read_and_decide(one, ann.user)
    return found


@pytest.fixture
def client(ann: Signer) -> Client:
    client = Client()
    client.force_login(ann.user)
    return client


def page_of(client: Client) -> str:
    answer = client.get(reverse(PAGE))
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    return answer.content.decode()


def typed(html: str, **given: Any) -> dict[str, Any]:
    """Return the form of the page with every box ticked and what a person types."""
    hidden = dict(re.findall(r'<input type="hidden" name="(batch-\w+)" value="([^"]*)"', html))
    filled = {"meaning": "reviewed", "password": PASSWORD, "code": code_at(datetime.now(UTC))}
    ticked = re.findall(r'name="call" id="call-\d+" value="([^"]+)"', html)
    changed = {name: given[name] for name in given if name != "call"}
    return {
        **hidden,
        **{f"batch-{name}": one for name, one in {**filled, **changed}.items()},
        "call": given.get("call", ticked),
    }


def send(client: Client, way: str, form: dict[str, Any]) -> Any:
    return client.post(reverse(f"{PAGE}_{way}"), form)


def answer_of(signer: Signer, html: str) -> dict[str, str]:
    challenge = re.search(r"<code>([0-9a-f]{64})</code></p>\s*<p id=.said", html)
    credential = re.search(r'data-credential="([^"]+)"', html)
    intent = re.search(r'name="intent" value="([^"]+)"', html)
    assert challenge
    assert credential
    assert intent
    made = signer.answer(bytes.fromhex(challenge[1]), site="testserver", origin="http://testserver")
    given = {
        "id": credential[1],
        "authenticatorData": to_base64(made.authenticator_data),
        "clientDataJSON": to_base64(made.client_data),
        "signature": to_base64(made.signature),
    }
    return {"intent": intent[1], "credential": json.dumps(given)}


def test_the_page_lists_what_is_signed_by_whom_and_its_effect(
    client: Client, calls: list[UUID]
) -> None:
    html = page_of(client)
    assert html.count('type="checkbox" name="call"') == len(calls)
    for words in (STATEMENT, "Some Body", "reviewer", *(f"call-{n}" for n in range(3))):
        assert words in html
    assert len(re.findall(r"Digest of what is shown: <code>[0-9a-f]{64}</code>", html)) == 3
    assert html.count(">PID <span") == 3


def test_by_one_passkey_answer_all_are_signed(
    client: Client, calls: list[UUID], ann: Signer
) -> None:
    begun = send(client, "begin", typed(page_of(client)))
    assert begun.status_code == 200, begun.content
    html = begun.content.decode()
    assert "Sign 3 calls with Blue key" in html
    done = client.post(reverse(f"{PAGE}_complete"), answer_of(ann, html), follow=True)
    assert "3 calls are signed" in done.content.decode()
    assert SignOff.objects.filter(together=3).count() == 3


def test_by_code_only_what_was_ticked_is_signed(client: Client, calls: list[UUID]) -> None:
    html = page_of(client)
    form = typed(html)
    answer = send(client, "by_code", {**form, "call": form["call"][:2]})
    assert answer.status_code == 302
    assert SignOff.objects.count() == 2
    left = form["call"][2].partition(".")[0]
    html = page_of(client)
    assert (html.count('name="call"'), left in html) == (1, True)


def test_a_call_that_changed_is_left_out_with_its_sentence(
    client: Client, calls: list[UUID], ann: Signer
) -> None:
    form = typed(page_of(client))
    act(calls[1], Ask(Kind.COMMENT, "PID", reason="look again"), ann.user)
    html = send(client, "begin", form).content.decode()
    assert "Left out, and not signed" in html
    assert "call-1: The call changed since this page was made" in html
    assert "Sign 2 calls with" in html
    form = typed(page_of(client))
    act(calls[2], Ask(Kind.COMMENT, "PID", reason="look again"), ann.user)
    done = client.post(reverse(f"{PAGE}_by_code"), form, follow=True).content.decode()
    assert "2 calls are signed" in done
    assert "One call was left out. The call changed since this page was made" in done


REFUSED = [
    ({"meaning": ""}, "Choose what your signatures say of these records."),
    ({"password": ""}, "Type your password."),
    ({"password": "not mine"}, "This is not your password."),
    ({"code": ""}, "Type the six digits that your app shows now."),
    ({"code": "000000"}, "This code is wrong, or was used before."),
    ({"call": []}, "Choose at least one call."),
    ({"call": ["x"]}, "Choose at least one call."),
    ({"call": [f"{'-' * 36}.{'a' * 64}.1"]}, "Choose at least one call."),
    ({"shown": "x"}, "The form came incomplete"),
]


@pytest.mark.parametrize(("given", "sentence"), REFUSED)
def test_a_refusal_is_said_and_keeps_what_was_ticked(
    given: dict[str, Any], sentence: str, client: Client, calls: list[UUID]
) -> None:
    form = typed(page_of(client), **given)
    if "call" not in given:
        form["call"] = form["call"][:1]
    answer = send(client, "by_code", form)
    html = answer.content.decode()
    assert (answer.status_code, sentence in html) == (422, True)
    assert html.count(" checked>") == (0 if "call" in given else 1)
    assert PASSWORD not in html
    assert not SignOff.objects.exists()


def test_all_changed_is_answered_with_what_is_in_the_way(
    client: Client, calls: list[UUID], ann: Signer
) -> None:
    form = typed(page_of(client))
    for one in calls:
        act(one, Ask(Kind.DOUBT, "PID", reason="who?"), ann.user)
    answer = send(client, "by_code", form)
    assert answer.status_code == 409
    assert "None of the calls can be signed." in answer.content.decode()
    assert "call-0: PID is in doubt" in answer.content.decode()


def test_without_a_call_that_may_be_signed_together_the_page_says_when_one_comes(
    client: Client, ann: Signer
) -> None:
    publish(catalog_source("micro"))
    call_id = prefilled(case())
    read_and_decide(call_id, ann.user)
    html = page_of(client)
    assert "No call can be signed together with others now." in html
    assert 'name="call"' not in html
