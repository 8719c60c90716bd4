"""The mapping page: what it shows, what it refuses at which field, and what became of a race."""

from __future__ import annotations

import json
import re
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from oipsce_site.ledger.queries import entries_of
from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.actions.mapping import send_to_mapping
from review.actions.revising import swap_speakers
from review.core.transcript import Swap
from review.forms.mapping import field_of
from review.models import Call, PrefillRun, RoleMap
from tests.factories import (
    NOON,
    case,
    catalog_source,
    given_up,
    make_person,
    make_site,
    prefilled,
    publish,
    raw_micro,
    read,
    take,
    unmapped_call,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def north() -> Site:
    publish(catalog_source("micro"))
    return make_site("north")


@pytest.fixture
def mapper(north: Site) -> User:
    return make_person(Role.COMPLIANCE_OFFICER, site=north)


@pytest.fixture
def client(mapper: User) -> Client:
    client = Client()
    client.force_login(mapper)
    return client


def page(call_id: UUID, name: str = "mapping") -> str:
    return reverse(f"review:{name}", args=[call_id])


def answers(**changes: str) -> dict[str, str]:
    """Return what the form sends for the micro case whose agent is called doctor."""
    typed = {
        "expected": "1",
        "attr_type": "member_benefits",
        "date": "2026-03-10",
        "ended": "yes",
        "language": "en-US",
        "remember": "on",
        field_of("doctor"): "agent",
        field_of("patient"): "patient",
    }
    return {name: value for name, value in {**typed, **changes}.items() if value != ""}


def state_of(call_id: UUID) -> str:
    return Call.objects.values_list("state", flat=True).get(pk=call_id)


def test_the_page_says_why_who_speaks_and_how_it_would_be_read(client: Client, north: Site) -> None:
    call_id = take(unmapped_call(), north).call_id
    shown = client.get(page(call_id))
    text = shown.content.decode()
    assert shown.status_code == 200
    assert "which role the speaker &#x27;doctor&#x27; has" in text
    assert re.search(r'class="voice-name">doctor <span class="lead">2 turns', text)
    assert "Plan side agent" in text
    assert "no-store" in shown["Cache-Control"]
    last: Any = json.loads(list(entries_of(call_id))[-1].body)
    assert (last["type"], last["facts"]["transcript_revision"]) == ("call.open", 1)


def test_confirming_reads_the_call_and_remembers_the_map(client: Client, north: Site) -> None:
    call_id = take(unmapped_call(), north).call_id
    answer = client.post(page(call_id), answers(), follow=True)
    assert answer.redirect_chain[0][0] == reverse("review:call", args=[call_id])
    assert "The mapping is confirmed" in answer.content.decode()
    assert state_of(call_id) != "NEEDS_MAPPING"
    assert PrefillRun.objects.filter(call=call_id).count() == 1
    assert RoleMap.objects.get().roles == {"doctor": "agent", "patient": "patient"}


def test_a_preview_shows_the_answers_and_stores_nothing(client: Client, north: Site) -> None:
    call_id = take(unmapped_call(call={"type": "other"}), north).call_id
    first = client.get(page(call_id)).content.decode()
    assert "No catalog is chosen yet" in first
    typed = answers(preview="1")
    del typed[field_of("patient")]
    shown = client.post(page(call_id), typed).content.decode()
    assert 'value="member_benefits" selected' in shown
    assert re.search(r'<span class="role" title="doctor">agent', shown)
    # The newly chosen catalog knows a patient: proposed, and nothing is called missing yet.
    assert re.search(r'<option value="patient" selected', shown)
    assert "errorlist" not in shown
    assert (state_of(call_id), Call.objects.get().transcript_revision) == ("NEEDS_MAPPING", 1)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"date": "10.3.2026"}, "Write the date as year-month-day"),
        ({"date": ""}, "The call has no date"),
        ({"language": "english please"}, "Write a language tag such as en-US."),
        ({"ended": "perhaps"}, "Select a valid choice"),
        ({"attr_type": "nonsense"}, "Select a valid choice"),
        ({field_of("doctor"): ""}, "Choose a role, or leave the speaker unread."),
        ({field_of("doctor"): "clinician"}, "This catalog has no role clinician"),
        ({"expected": "x"}, "Reload it and answer again."),
    ],
)
def test_a_wrong_answer_is_said_at_its_field_and_the_others_are_kept(
    changes: dict[str, str], sentence: str, client: Client, north: Site
) -> None:
    call_id = take(unmapped_call(), north).call_id
    answer = client.post(page(call_id), answers(**changes))
    text = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in text
    assert state_of(call_id) == "NEEDS_MAPPING"
    if "language" not in changes:
        assert 'value="en-US"' in text


def test_doubts_are_accepted_one_by_one(client: Client, north: Site) -> None:
    raw = raw_micro()
    for turn in raw["turns"]:
        turn["t0"], turn["t1"] = 5, 6
    call_id = take(read(raw), north).call_id
    typed = answers(**{field_of("agent"): "agent", "accept_overlap": "on"})
    refused = client.post(page(call_id), typed)
    assert refused.status_code == 422
    assert "accept the file&#x27;s order" in refused.content.decode()
    assert re.search(r'name="accept_overlap"[^>]*checked', refused.content.decode())
    client.post(page(call_id), {**typed, "accept_equal_timestamps": "on"})
    assert state_of(call_id) != "NEEDS_MAPPING"


def test_who_comes_second_sees_both_versions_and_keeps_what_was_typed(
    client: Client, mapper: User, north: Site
) -> None:
    call_id = take(unmapped_call(), north).call_id
    swap_speakers(
        call_id=call_id, swap=Swap(1, 1, "doctor", "patient"), expected=1, by=mapper, at=NOON
    )
    typed = answers(language="de-CH", ended="unknown")
    answer = client.post(page(call_id), typed)
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "Meanwhile the call was changed" in text
    assert re.search(r"<td>yes</td><td>nobody knows</td>", text)
    assert re.search(r"<td>not said</td><td>agent</td>", text)
    assert 'value="de-CH"' in text
    assert '<option value="unknown" selected' in text
    assert '<input type="hidden" name="expected" value="2"' in text
    again = client.post(page(call_id), {**typed, "expected": "2"})
    assert again.status_code == 302
    assert Call.objects.get().language == "de-CH"


def test_a_call_that_somebody_else_confirmed_shows_both_and_asks_nothing(
    client: Client, north: Site
) -> None:
    call_id = take(unmapped_call(), north).call_id
    client.post(page(call_id), answers())
    answer = client.post(page(call_id), answers(language="de"))
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "Stored now, and what you typed" in text
    assert "Nothing you typed was stored" in text
    assert 'id="answers"' not in text


def test_a_swap_leads_back_to_the_page_of_the_next_revision(client: Client, north: Site) -> None:
    call_id = take(unmapped_call(), north).call_id
    turns = {"expected": "1", "first": "1", "last": "2"}
    typed = {**turns, "one": field_of("doctor"), "other": field_of("patient")}
    answer = client.post(page(call_id, "mapping_swap"), typed, follow=True)
    assert "transcript revision 2" in answer.content.decode()
    late = client.post(page(call_id, "mapping_swap"), typed)
    assert late.status_code == 409
    same = client.post(
        page(call_id, "mapping_swap"), {**typed, "expected": "2", "other": field_of("doctor")}
    )
    assert same.status_code == 422
    assert "Choose two different speakers." in same.content.decode()


def test_a_withdrawal_needs_a_reason_which_is_read_on_the_page(client: Client, north: Site) -> None:
    call_id = take(unmapped_call(), north).call_id
    refused = client.post(page(call_id, "mapping_withdraw"), {"reason": " "})
    assert refused.status_code == 422
    assert "Write down why" in refused.content.decode()
    answer = client.post(
        page(call_id, "mapping_withdraw"), {"reason": "<b>two</b> calls in one"}, follow=True
    )
    assert "&lt;b&gt;two&lt;/b&gt; calls in one" in answer.content.decode()
    assert state_of(call_id) == "WITHDRAWN"
    late = client.post(page(call_id, "mapping_withdraw"), {"reason": "again"})
    assert late.status_code == 409


def test_a_call_is_sent_back_with_a_reason(client: Client, north: Site) -> None:
    call_id = prefilled(case(), north)
    assert "Send it back to mapping" in client.get(page(call_id)).content.decode()
    answer = client.post(
        page(call_id, "mapping_send_back"), {"reason": "wrong way round"}, follow=True
    )
    assert "wrong way round" in answer.content.decode()
    assert state_of(call_id) == "NEEDS_MAPPING"


def test_a_failed_pre_fill_is_read_again_by_a_button(client: Client, north: Site) -> None:
    call_id = given_up(read(raw_micro(id="lost")))
    for address in (page(call_id, "call"), page(call_id)):
        assert "Read it again" in client.get(address).content.decode()
    answer = client.post(page(call_id, "read_again"), follow=True)
    assert "The call is read again" in answer.content.decode()
    assert state_of(call_id) != "NEEDS_MAPPING"
    again = client.post(page(call_id, "read_again"), follow=True)
    assert "nothing to read again" in again.content.decode()


def test_a_reviewer_is_shown_no_way_there(north: Site) -> None:
    call_id = take(unmapped_call(), north).call_id
    client = Client()
    client.force_login(make_person(Role.REVIEWER, site=north))
    for address in (page(call_id, "call"), reverse("review:calls")):
        assert page(call_id) not in client.get(address).content.decode()
    refused = client.get(page(call_id))
    assert refused.status_code == 403
    assert "Only senior reviewers and compliance officers" in refused.content.decode()


def test_a_remembered_map_is_listed_and_forgotten(client: Client, north: Site) -> None:
    call_id = take(unmapped_call(), north).call_id
    client.post(page(call_id), answers())
    listed = client.get(reverse("review:role_maps")).content.decode()
    assert "<dt>doctor</dt><dd>agent</dd>" in listed
    map_id = RoleMap.objects.get().id
    client.post(reverse("review:role_map_forget", args=[map_id]))
    assert "No map is remembered." in client.get(reverse("review:role_maps")).content.decode()
    assert take(unmapped_call(id="next"), north).state == "NEEDS_MAPPING"


def test_a_stored_call_of_ten_revisions_takes_no_more_queries(
    client: Client, mapper: User, north: Site, django_assert_max_num_queries: Any
) -> None:
    call_id = take(unmapped_call(), north).call_id

    def queries() -> int:
        with django_assert_max_num_queries(60) as counted:
            client.get(page(call_id))
        return len(counted)

    swap = Swap(1, 2, "doctor", "patient")
    swap_speakers(call_id=call_id, swap=swap, expected=1, by=mapper, at=NOON)
    client.get(page(call_id))
    before = queries()
    for number in range(2, 11):
        swap_speakers(call_id=call_id, swap=swap, expected=number, by=mapper, at=NOON)
    send = {"reason": "x"}
    client.post(page(call_id, "mapping_withdraw"), send)
    Call.objects.filter(pk=call_id).update(state="NEEDS_MAPPING", needs_mapping="again")
    assert queries() == before
    assert before <= 32


def test_a_call_whose_date_several_versions_share_asks_which(
    client: Client, north: Site, mapper: User
) -> None:
    publish(
        catalog_source(
            "micro", ("catalog: member-benefits-micro", "catalog: member-benefits-second")
        )
    )
    call_id = take(unmapped_call(), north).call_id
    shown = client.get(page(call_id)).content.decode()
    assert "Several versions apply" in shown
    refused = client.post(page(call_id), answers())
    assert refused.status_code == 422
    version = re.search(r'<option value="([0-9a-f-]{36})">member-benefits-second', shown)
    assert version is not None
    answer = client.post(page(call_id), answers(version=version[1]))
    assert answer.status_code == 302, answer.content.decode()
    chosen = Call.objects.select_related("catalog_version__catalog").get(pk=call_id)
    assert chosen.catalog_version is not None
    assert chosen.catalog_version.catalog.slug == "member-benefits-second"


def test_a_call_sent_back_shows_its_rows_on_its_page_still(
    client: Client, mapper: User, north: Site
) -> None:
    call_id = prefilled(case(), north)
    send_to_mapping(call_id=call_id, reason="look again", by=mapper, at=NOON)
    text = client.get(page(call_id, "call")).content.decode()
    assert "needs mapping" in text
    assert "verdict-banner" in text
