"""The queue by forms alone: listed, claimed, passed over, taken over, put aside, told."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.models import Call, HoldNotice
from review.shipped import SHIPPED_CASES
from tests.factories import (
    case,
    catalog_source,
    make_person,
    make_site,
    prefilled,
    publish,
    raw_micro,
    read,
)

pytestmark = pytest.mark.django_db(transaction=True)

QUEUE, NEXT = reverse("review:queue"), reverse("review:queue_next")
MOST_QUERIES = 15


@pytest.fixture
def north() -> Site:
    publish(catalog_source("benefits_verification"))
    publish(catalog_source("micro"))
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


@pytest.fixture
def sue(north: Site) -> Client:
    return client_of(Role.SENIOR_REVIEWER, north, "Sue")


def page_of(client: Client, path: str = QUEUE) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def send(client: Client, name: str, call_id: UUID, **typed: Any) -> Any:
    return client.post(reverse(f"review:hold_{name}", args=[call_id]), typed)


def end_holds() -> None:
    Call.objects.update(held_until=timezone.now() - timedelta(seconds=1))


def test_the_queue_says_why_each_call_is_here_and_for_how_long(ann: Client, call_id: UUID) -> None:
    html = page_of(ann)
    assert "Order violated: PID \u2192 CSV, 52 &lt; 42 is false" in html
    assert re.search(r"Order at stake\s*<span class=\"count\">1</span>", html)
    assert 'title="Its limit is 1 d"' in html
    assert f'formaction="/calls/{call_id}/hold/claim"' in html
    assert 'href="/queue/" aria-current="page"' in html


def test_next_leads_to_the_row_that_put_the_call_here(ann: Client, call_id: UUID) -> None:
    answer = ann.post(NEXT, {"key": uuid4()})
    assert answer.status_code == 302
    assert re.fullmatch(rf"/calls/{call_id}/\?row=(PID|CSV)#t42", answer["Location"])
    html = page_of(ann, answer["Location"].partition("#")[0])
    assert 'aria-label="Decide ' in html
    assert re.search(r"You hold this call until \d\d:\d\d UTC", html)


def test_a_double_click_on_next_claims_one_call(ann: Client, north: Site, call_id: UUID) -> None:
    prefilled(case(), north)
    key = uuid4()
    first, again = (ann.post(NEXT, {"key": key})["Location"] for _ in range(2))
    assert first == again
    assert ann.post(NEXT, {"key": uuid4()})["Location"] != first


def test_next_keeps_to_the_filters_that_are_on(ann: Client, north: Site, call_id: UUID) -> None:
    other = prefilled(read(raw_micro(id="another")), north)
    assert f"{NEXT}?text=another" in page_of(ann, f"{QUEUE}?text=another")
    answer = ann.post(f"{NEXT}?text=another", {"key": uuid4()})
    assert answer["Location"].startswith(f"/calls/{other}/")


def test_c02_when_all_is_held_the_page_says_by_how_many_and_until_when(
    ann: Client, ben: Client, call_id: UUID
) -> None:
    ann.post(NEXT, {"key": uuid4()})
    answer = ben.post(NEXT, {"key": uuid4()}, follow=True)
    html = answer.content.decode()
    assert answer.redirect_chain == [(f"{QUEUE}?", 302)]
    assert re.search(r"1 call is held by others, the first until \d\d:\d\d UTC", html)
    assert re.search(r"Ann, until \d\d:\d\d UTC", html)
    assert "/hold/claim" not in html
    end_holds()
    assert ben.post(NEXT, {"key": uuid4()})["Location"].startswith(f"/calls/{call_id}/")


def test_who_lost_a_hold_is_told_on_every_page_until_they_put_it_away(
    ann: Client, ben: Client, call_id: UUID
) -> None:
    ann.post(NEXT, {"key": uuid4()})
    end_holds()
    ben.post(NEXT, {"key": uuid4()})
    [notice] = HoldNotice.objects.all()
    put_away = reverse("review:notice_dismiss", args=[notice.pk])
    for path in (QUEUE, reverse("review:calls"), reverse("review:call", args=[call_id])):
        html = page_of(ann, path)
        assert "Ben claimed the call at" in html
        assert put_away in html
    assert put_away not in page_of(ben)
    answer = ann.post(put_away, headers={"referer": f"http://testserver{QUEUE}?kind=order"})
    assert answer["Location"] == f"http://testserver{QUEUE}?kind=order"
    assert "Ben claimed" not in page_of(ann)
    foreign = ann.post(put_away, headers={"referer": "http://elsewhere.example/"})
    assert foreign["Location"] == QUEUE


def test_a_call_that_another_holds_is_not_claimed(ann: Client, ben: Client, call_id: UUID) -> None:
    assert send(ann, "claim", call_id)["Location"] == f"/calls/{call_id}/"
    answer = send(ben, "claim", call_id)
    assert answer.status_code == 409
    assert re.search(r"Ann holds this call until \d\d:\d\d UTC", answer.content.decode())
    assert "Ann holds this call" in page_of(ben, f"/calls/{call_id}/")


def test_a_hold_is_renewed_or_said_to_be_lost(ann: Client, ben: Client, call_id: UUID) -> None:
    send(ann, "claim", call_id)
    assert send(ann, "renew", call_id, number=1).status_code == 204
    end_holds()
    send(ben, "claim", call_id)
    for number in ("1", "2", "", "x", "9" * 30, "\u0661"):
        answer = send(ann, "renew", call_id, number=number)
        assert answer.status_code == 409
        assert "Ben holds it until" in answer.content.decode()
        assert "<html" not in answer.content.decode()


def test_skipping_asks_why_and_gives_the_call_back(ann: Client, ben: Client, call_id: UUID) -> None:
    send(ann, "claim", call_id)
    refused = send(ann, "skip", call_id, **{"skip-reason": "  "})
    assert (refused.status_code, b"Write down why" in refused.content) == (422, True)
    assert Call.objects.get().held_by is not None
    assert send(ann, "skip", call_id, **{"skip-reason": "I know her"})["Location"] == QUEUE
    assert Call.objects.get().held_by is None
    assert ben.post(NEXT, {"key": uuid4()})["Location"].startswith(f"/calls/{call_id}/")


def test_a_long_reason_is_refused_and_kept_in_the_form(ann: Client, call_id: UUID) -> None:
    refused = send(ann, "skip", call_id, **{"skip-reason": "x" * 2_001})
    assert (refused.status_code, b"Shorten it" in refused.content) == (422, True)
    assert b"x" * 2_001 in refused.content


def test_a_senior_reviewer_takes_over_and_puts_aside(
    ann: Client, sue: Client, call_id: UUID
) -> None:
    send(ann, "claim", call_id)
    hold = reverse("review:hold", args=[call_id])
    assert "Take over and open" in page_of(sue, hold)
    assert "Take over and open" not in page_of(ann, hold)
    assert send(ann, "take_over", call_id).status_code == 403
    assert send(sue, "take_over", call_id).status_code == 422
    taken = send(sue, "take_over", call_id, **{"take-reason": "She is ill"})
    assert taken["Location"] == f"/calls/{call_id}/"
    assert "Sue took" in page_of(ann)
    person = User.objects.get(username="ann")
    assert send(sue, "assign", call_id, **{"assign-to": person.pk})["Location"] == hold
    assert "put aside for you" in page_of(ann)
    assert "put aside for Ann" in page_of(sue)
    assert send(sue, "assign", call_id, **{"assign-to": uuid4()}).status_code == 422


def test_a_call_that_is_read_blind_shows_no_verdict(ann: Client, call_id: UUID) -> None:
    Call.objects.update(queue_class=4, queue_phase="", queue_code="")
    html = page_of(ann)
    assert "Random sample, read blind" in html
    assert "mark-box" not in html
    answer = ann.post(NEXT, {"key": uuid4()})
    assert answer["Location"] == f"/calls/{call_id}/reading/"


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("", "No call of your sites asks for a person."),
        ("?kind=order", "No call of the queue is like this."),
        ("?below=1-0-" + "0" * 32, "No call of your sites asks for a person."),
        ("?below=9-99&kind=x&age=y&held=z&assigned=q&flag=n", "No call of your sites asks"),
    ],
)
def test_an_empty_queue_says_why_and_what_to_do(asked: str, words: str, ann: Client) -> None:
    assert words in page_of(ann, QUEUE + asked)


def test_who_reads_only_sees_the_queue_and_no_button(north: Site, call_id: UUID) -> None:
    html = page_of(client_of(Role.AUDITOR, north, "Eve"))
    assert "Order violated" in html
    assert "Next call" not in html
    assert "/hold/" not in html
    author = make_person(Role.CATALOG_AUTHOR)
    client = Client()
    client.force_login(author)
    assert 'href="/queue/"' not in page_of(client, reverse("review:calls"))


def test_the_queue_takes_as_many_queries_for_many_calls_as_for_one(
    ann: Client, north: Site, call_id: UUID
) -> None:
    def count() -> int:
        ann.get(QUEUE)
        with CaptureQueriesContext(connection) as asked:
            page_of(ann)
        return len(asked)

    before = count()
    for number in range(3):
        prefilled(read(raw_micro(id=f"more-{number}")), north)
    assert count() == before <= MOST_QUERIES


def test_c06_looking_changes_nothing(ann: Client, call_id: UUID) -> None:
    """No page of the queue, and no page of a call, claims, renews or moves anything."""
    send(ann, "claim", call_id)
    before = list(Call.objects.values())
    for path in (QUEUE, f"{QUEUE}?held=mine", f"/calls/{call_id}/", f"/calls/{call_id}/hold/"):
        page_of(ann, path)
        ann.head(path)
    for name in ("claim", "release", "skip", "renew", "take_over", "assign"):
        assert ann.get(reverse(f"review:hold_{name}", args=[call_id])).status_code == 405
    assert ann.get(NEXT).status_code == 405
    assert list(Call.objects.values()) == before


def test_c05_a_file_that_is_imported_again_puts_no_call_into_the_queue_twice(
    ann: Client, north: Site, call_id: UUID, tmp_path: Any
) -> None:
    path = tmp_path / "call.json"
    [shipped] = [one for one in SHIPPED_CASES if one.stem == "case_b_call"]
    path.write_bytes(shipped.read_bytes())
    call_command("import_calls", str(path), "--site", "north")
    assert page_of(ann).count("/hold/claim") == 1
