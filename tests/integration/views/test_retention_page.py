"""The page of retention by its forms, and what is left of an erased call on every page."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.models import Call, Erasure, LegalHold, RetentionRule
from tests.factories import (
    catalog_source,
    make_person,
    make_site,
    prefilled,
    publish,
    raw_micro,
    read,
)
from tests.integration.review.retention_acts import ask, erase, hold
from tests.signers import read_and_decide, sign_by_code, with_app

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def erasures(settings: Settings, tmp_path: Path) -> None:
    settings.ERASURE_LIST_FILE = str(tmp_path / "erased-calls.txt")


@pytest.fixture
def north() -> Site:
    publish(catalog_source("micro"))
    return make_site("north")


@pytest.fixture
def call_id(north: Site) -> UUID:
    return prefilled(read(raw_micro(id="call-one", title="A private title")), north)


@pytest.fixture
def olga(north: Site) -> User:
    return make_person(Role.COMPLIANCE_OFFICER, site=north, username="olga")


@pytest.fixture
def adam(north: Site) -> User:
    return make_person(Role.ADMINISTRATOR, username="adam")


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def page_of(user: User) -> str:
    answer = client_of(user).get(reverse("review:retention"))
    assert answer.status_code == 200
    return answer.content.decode()


def send(user: User, name: str, given: dict[str, Any], *args: object) -> Any:
    return client_of(user).post(reverse(f"review:{name}", args=args), given, follow=True)


def typed(prefix: str, **given: object) -> dict[str, Any]:
    return {f"{prefix}-form_key": uuid4(), **{f"{prefix}-{key}": given[key] for key in given}}


def test_an_officer_asks_and_an_administrator_erases_without_a_name_before_them(
    call_id: UUID, olga: User, adam: User
) -> None:
    form = typed("erasure", call="call-one", ground="PERSON_ASKED")
    asked = send(olga, "erasure_ask", form)
    assert "An administrator is asked to erase the call." in asked.content.decode()
    assert "call-one" in page_of(olga)
    html = page_of(adam)
    assert str(call_id) in html
    assert "call-one" not in html
    assert "A private title" not in html
    done = send(adam, "erasure_decide", {"answer": "approve"}, Erasure.objects.get().pk)
    assert "The call is erased for ever." in done.content.decode()
    assert Call.objects.get(pk=call_id).erased_at is not None


def test_the_officer_sees_no_button_to_approve(call_id: UUID, olga: User) -> None:
    wish = ask(call_id, olga)
    assert 'value="approve"' not in page_of(olga)
    assert send(olga, "erasure_decide", {"answer": "approve"}, wish).status_code == 403
    assert Call.objects.get(pk=call_id).erased_at is None


REFUSED = [
    ({"call": "", "ground": "MISTAKE"}, "Say which call, by its id."),
    ({"call": "no-such", "ground": "MISTAKE"}, "No call of your sites has this id."),
    ({"call": "call-one", "ground": ""}, "Choose on what ground."),
    ({"call": "call-one", "ground": "WHIM"}, "Select a valid choice"),
]


@pytest.mark.parametrize(("given", "sentence"), REFUSED)
def test_a_refusal_stands_at_its_field_and_keeps_what_was_typed(
    given: dict[str, str], sentence: str, call_id: UUID, olga: User
) -> None:
    answer = send(olga, "erasure_ask", typed("erasure", **given))
    html = answer.content.decode()
    assert (answer.status_code, sentence in html) == (422, True)
    assert f'value="{given["call"]}"' in html or not given["call"]


def test_a_call_of_another_site_is_not_there(call_id: UUID, olga: User) -> None:
    prefilled(read(raw_micro(id="theirs")), make_site("south"))
    answer = send(olga, "erasure_ask", typed("erasure", call="theirs", ground="MISTAKE"))
    assert "No call of your sites has this id." in answer.content.decode()


def test_a_hold_is_placed_shown_blocks_and_is_lifted(call_id: UUID, olga: User, adam: User) -> None:
    send(olga, "legal_hold_place", typed("hold", call="call-one", reason="matter 7"))
    assert "matter 7" in page_of(olga)
    assert "matter 7" not in page_of(adam)
    blocked = send(olga, "erasure_ask", typed("erasure", call="call-one", ground="MISTAKE"))
    assert "under a legal hold" in blocked.content.decode()
    held = LegalHold.objects.get()
    bare = send(olga, "legal_hold_lift", {"reason": " "}, held.pk)
    assert (bare.status_code, b"Say why the hold is lifted." in bare.content) == (422, True)
    send(olga, "legal_hold_lift", {"reason": "settled"}, held.pk)
    assert "No call is under a legal hold." in page_of(olga)


def test_a_rule_is_proposed_and_approved_and_what_is_due_is_counted(
    call_id: UUID, olga: User, adam: User, north: Site
) -> None:
    short = send(olga, "retention_propose", typed("rule", site=north.pk, days=3, most=5))
    assert (short.status_code, b"greater than or equal to 30" in short.content) == (422, True)
    send(olga, "retention_propose", typed("rule", site=north.pk, days=90, most=5))
    assert 'value="approve"' not in page_of(olga)
    send(adam, "retention_decide", {"answer": "approve"}, RetentionRule.objects.get().pk)
    assert "90 days after the last change; one run erases 5 at most" in page_of(olga)


def test_an_erased_call_is_a_tombstone_on_its_page_and_in_the_list(
    call_id: UUID, north: Site
) -> None:
    sue = with_app(make_person(Role.SENIOR_REVIEWER, site=north))
    now = datetime.now(UTC)
    read_and_decide(call_id, sue, at=now)
    sign_by_code(sue, call_id, at=now)
    erase(call_id)
    client = client_of(sue)
    html = client.get(reverse("review:call", args=[call_id])).content.decode()
    assert re.search(r"erased on 29 Nov 2026, 12:00 UTC", html)
    for words in ("the person asked for it", "Some Body", "call-one"):
        assert words in html
    assert "knee scan" not in html
    listed = client.get(reverse("review:calls")).content.decode()
    assert "Erased call" in listed
    assert "A private title" not in listed
    found = client.get(reverse("review:calls"), {"text": "call-one"}).content.decode()
    assert "Erased call" in found
    assert "Erased call" not in client.get(reverse("review:queue")).content.decode()


PAGES = ["sign", "hold", "mapping"]


@pytest.mark.parametrize("name", [*PAGES, "decision_undone", "sign_begin", "ask_reopening"])
def test_no_other_page_or_form_knows_an_erased_call(name: str, call_id: UUID, north: Site) -> None:
    erase(call_id)
    client = client_of(make_person(Role.SENIOR_REVIEWER, site=north))
    url = reverse(f"review:{name}", args=[call_id])
    answer = client.get(url) if name in PAGES else client.post(url)
    assert answer.status_code == 404


def test_the_tombstone_is_of_the_own_site_alone(call_id: UUID) -> None:
    erase(call_id)
    stranger = client_of(make_person(Role.REVIEWER, site=make_site("south")))
    assert stranger.get(reverse("review:call", args=[call_id])).status_code == 404


def test_the_call_page_tells_of_a_legal_hold_those_alone_who_may_know(
    call_id: UUID, north: Site, olga: User
) -> None:
    auditor, reviewer = (
        make_person(Role.AUDITOR, site=north),
        make_person(Role.REVIEWER, site=north),
    )
    address = reverse("review:call", args=[call_id])

    def told(user: User) -> bool:
        return ">legal hold</a>" in client_of(user).get(address).content.decode()

    assert not told(olga)
    hold(call_id, olga)
    assert [told(one) for one in (olga, auditor, reviewer)] == [True, True, False]


def test_a_held_call_is_marked_in_the_officers_list(call_id: UUID, olga: User) -> None:
    hold(call_id, olga)
    assert "call-one" in page_of(olga).partition("Legal holds")[2]
