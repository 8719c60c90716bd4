"""Disputes on their pages: filed from a signed call, listed by the clock, answered by another."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse

from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from review.models import Call, CallNote, Dispute
from tests.disputed import WORDS, dispute, signed_call
from tests.factories import make_person, make_site, prefilled, raw_micro, read
from tests.integration.review.retention_acts import erase
from tests.signed import sign_stored

pytestmark = pytest.mark.django_db

LIST = reverse("review:disputes")


@pytest.fixture
def signer() -> User:
    return make_person(Role.SENIOR_REVIEWER)


@pytest.fixture
def call_id(signer: User) -> UUID:
    return signed_call(signer)


def now() -> datetime:
    return datetime.now(UTC)


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def at_browser(role: Role) -> Client:
    return browser(make_person(role))


def page_of(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def form(**changes: str) -> dict[str, str]:
    given = {"form_key": str(uuid4()), "about": "phase:PID", "kind": "VERDICT", "words": WORDS}
    return {**given, **changes}


def answer_of(client: Client, dispute_id: UUID, **changes: str) -> int:
    given = {"end": "UPHELD", "words": "it was, in turn 2", **changes}
    return client.post(reverse("review:dispute_answer", args=[dispute_id]), given).status_code


def test_from_the_signing_page_to_the_answer_and_on_to_the_reopening(call_id: UUID) -> None:
    reviewer, officer = at_browser(Role.REVIEWER), at_browser(Role.COMPLIANCE_OFFICER)
    address = reverse("review:dispute_file", args=[call_id])
    assert address in page_of(reviewer, reverse("review:sign", args=[call_id]))
    assert "PID, " in page_of(reviewer, address)
    assert reviewer.post(address, form()).status_code == 302
    found = Dispute.objects.get()
    own = reverse("review:dispute", args=[found.pk])
    assert "This signature is disputed already" in page_of(reviewer, address)
    filed = page_of(reviewer, own)
    assert WORDS in filed
    assert "13 d 23 h left" in filed or "14 d left" in filed
    assert "not you, who filed it" in filed
    assert "Withdraw the dispute" in filed
    assert own in page_of(officer, LIST)
    assert answer_of(officer, found.pk, end="OVERTURNED") == 302
    answered = page_of(reviewer, own)
    assert "it was, in turn 2" in answered
    # The form is the signing page's own; nothing is asked by itself.
    asking = reverse("review:ask_reopening", args=[call_id])
    assert f'action="{asking}"' in answered
    assert Call.objects.get().state == "SIGNED"
    assert reviewer.post(asking, {"reason": "as disputed"}).status_code == 302
    assert "Somebody has asked to have the call reopened" in page_of(reviewer, own)


def test_neither_who_signed_nor_who_filed_answers_and_no_form_is_shown(
    call_id: UUID, signer: User
) -> None:
    filer = make_person(Role.COMPLIANCE_OFFICER)
    dispute_id = dispute(call_id, filer, now())
    for who, words in ((filer, "not you, who filed it"), (signer, "not you, who signed")):
        client = browser(who)
        page = page_of(client, reverse("review:dispute", args=[dispute_id]))
        assert words in page
        assert 'name="end"' not in page
        assert answer_of(client, dispute_id) == 403
    assert Dispute.objects.get().end == ""


def test_who_was_slower_is_told_and_the_answer_stays(call_id: UUID) -> None:
    dispute_id = dispute(call_id, make_person(Role.REVIEWER), now())
    fast, slow = at_browser(Role.COMPLIANCE_OFFICER), at_browser(Role.SENIOR_REVIEWER)
    assert answer_of(fast, dispute_id) == 302
    assert answer_of(slow, dispute_id, end="OVERTURNED") == 409
    assert Dispute.objects.get().end == "UPHELD"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"end": ""}, "Say whether it stands as signed"),
        ({"end": "WITHDRAWN"}, "Select a valid choice"),
        ({"words": " "}, "Write down why"),
        ({"words": "x" * 2001}, "2,000 are kept"),
    ],
)
def test_an_answer_without_its_parts_comes_back_with_what_was_typed(
    changes: dict[str, str], sentence: str, call_id: UUID
) -> None:
    dispute_id = dispute(call_id, make_person(Role.REVIEWER), now())
    given = {"end": "UPHELD", "words": "typed words", **changes}
    answer = at_browser(Role.COMPLIANCE_OFFICER).post(
        reverse("review:dispute_answer", args=[dispute_id]), given
    )
    page = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in page
    assert "typed words" in page or "words" in changes
    assert Dispute.objects.get().end == ""


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"about": "phase:NONE"}, "This was not signed"),
        ({"about": ""}, "Choose what is disputed"),
        ({"kind": ""}, "Choose what is wrong"),
        ({"words": ""}, "Write down what is wrong"),
    ],
)
def test_a_dispute_without_its_parts_comes_back_with_what_was_typed(
    changes: dict[str, str], sentence: str, call_id: UUID
) -> None:
    address = reverse("review:dispute_file", args=[call_id])
    answer = at_browser(Role.REVIEWER).post(address, form(**changes))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in page
    assert WORDS in page or "words" in changes
    assert not Dispute.objects.exists()


def test_a_spoilt_key_of_a_form_loses_nothing(call_id: UUID) -> None:
    address = reverse("review:dispute_file", args=[call_id])
    assert at_browser(Role.REVIEWER).post(address, form(form_key="x")).status_code == 302
    assert Dispute.objects.count() == 1


def test_what_is_not_signed_has_no_form() -> None:
    signed_call()
    waits = prefilled(read(raw_micro(id="waits")))
    client, address = at_browser(Role.REVIEWER), reverse("review:dispute_file", args=[waits])
    assert "Nothing is signed here." in page_of(client, address)
    assert client.post(address, form()).status_code == 422


def several(number: int, signer: User) -> None:
    """Dispute so many calls, the first of them long ago."""
    filer = make_person(Role.REVIEWER)
    for position in range(number):
        call_id = prefilled(read(raw_micro(id=f"one-{position}", title=f"one {position}")))
        sign_stored(call_id, signer)
        dispute(call_id, filer, now() - timedelta(days=20 - 10 * position))


def test_the_list_tells_open_overdue_and_answered_apart(call_id: UUID, signer: User) -> None:
    several(2, signer)
    dispute_id = dispute(call_id, make_person(Role.REVIEWER), now())
    officer = at_browser(Role.COMPLIANCE_OFFICER)
    answer_of(officer, dispute_id)
    page = page_of(officer, LIST)
    assert "2 disputes wait for an answer, 1 past the limit" in page
    numbers = [one.split("<")[0] for one in page.split('<span class="count">')[1:]]
    assert numbers[:4] == ["2", "1", "1", "3"]
    # What waits longest stands first.
    assert page.index("one-0") < page.index("one-1")
    assert ("one-0" in (late := page_of(officer, f"{LIST}?show=overdue"))) != ("one-1" in late)
    assert "6 d" in late
    answered = page_of(officer, f"{LIST}?show=answered")
    assert "upheld" in answered
    assert "one-0" not in answered


def test_the_list_is_paged(signer: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("review.views.compliance.disputes.PAGE_SIZE", 1)
    signed_call(signer)
    several(2, signer)
    officer = at_browser(Role.COMPLIANCE_OFFICER)
    first = page_of(officer, f"{LIST}?show=all")
    assert "one-1" in first
    assert "one-0" not in first
    further = first.split('rel="next"')[0].rsplit('href="', 1)[1].split('"')[0]
    second = page_of(officer, LIST + further.replace("&amp;", "&"))
    assert "one-0" in second
    assert 'rel="next"' not in second


@pytest.mark.parametrize(
    "query",
    [
        "?show=x",
        "?after=x",
        f"?after={'9' * 18}-{'0' * 32}",
        "?site=nowhere",
        "?show=%00&after=1-2",
    ],
)
def test_a_strange_address_is_a_page(query: str, call_id: UUID) -> None:
    dispute(call_id, make_person(Role.REVIEWER), now())
    assert at_browser(Role.AUDITOR).get(LIST + query).status_code == 200


def test_an_auditor_reads_and_may_do_nothing(call_id: UUID) -> None:
    dispute_id = dispute(call_id, make_person(Role.REVIEWER), now())
    auditor = at_browser(Role.AUDITOR)
    page = page_of(auditor, reverse("review:dispute", args=[dispute_id]))
    assert WORDS in page
    assert "<textarea" not in page
    assert answer_of(auditor, dispute_id) == 403
    assert auditor.post(reverse("review:dispute_withdraw", args=[dispute_id])).status_code == 403
    assert auditor.get(reverse("review:dispute_file", args=[call_id])).status_code == 403


def test_disputes_of_another_site_are_not_there(call_id: UUID) -> None:
    dispute_id = dispute(call_id, make_person(Role.REVIEWER), now())
    away = browser(make_person(Role.COMPLIANCE_OFFICER, site=make_site("south")))
    assert "0 disputes wait" in page_of(away, LIST)
    assert away.get(reverse("review:dispute", args=[dispute_id])).status_code == 404
    for name in ("dispute_answer", "dispute_withdraw"):
        assert away.post(reverse(f"review:{name}", args=[dispute_id])).status_code == 404


def test_who_filed_it_withdraws_it(call_id: UUID) -> None:
    filer = make_person(Role.REVIEWER)
    dispute_id = dispute(call_id, filer, now())
    address = reverse("review:dispute_withdraw", args=[dispute_id])
    assert at_browser(Role.COMPLIANCE_OFFICER).post(address).status_code == 403
    client = browser(filer)
    assert client.post(address).status_code == 302
    assert client.post(address).status_code == 409
    assert Dispute.objects.get().end == "WITHDRAWN"


def test_an_erased_calls_dispute_is_a_line_that_leads_to_its_tombstone(call_id: UUID) -> None:
    dispute_id = dispute(call_id, make_person(Role.REVIEWER), now())
    erase(call_id)
    officer = at_browser(Role.COMPLIANCE_OFFICER)
    page = page_of(officer, f"{LIST}?show=all")
    assert "ended: the call was erased" in page
    assert reverse("review:call", args=[call_id]) in page
    assert officer.get(reverse("review:dispute", args=[dispute_id])).status_code == 404
    assert not CallNote.objects.exists()
