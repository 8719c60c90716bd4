"""Masked identifiers: in no answer before they are revealed; a reveal has a reason and an end."""

from __future__ import annotations

import html
import json
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from oipsce_site.ledger.queries import entries_of
from oipsce_site.people.models import Site
from oipsce_site.people.roles import Role
from review.actions.revealing import Ground, reveal_identifiers
from review.core.parsers import parse_calls
from review.models import CallNote, Decision, PhaseRow, Reveal
from review.shipped import SHIPPED_CASES
from tests.factories import (
    catalog_source,
    make_person,
    make_site,
    prefilled,
    publish,
    read,
    take,
)
from tests.integration.views.permission_table import OWN_SITE
from tests.integration.views.world import addresses

pytestmark = pytest.mark.django_db(transaction=True)

#: What is said of the patient of Case B, and what is seeded into it beside.
SAID = ("Rowan", "Quillfeather", "nineteen seventy one", "Z Z T, zero", "Jessamy")
SEEDED = ("ZZT000417", "Mira Stonecrop", "Stonecrop", "1971-04-09", "202-555-0142")
CANARIES = (*SAID, *SEEDED)


@pytest.fixture
def north() -> Site:
    publish(catalog_source("benefits_verification"))
    site = make_site("north")
    Site.objects.filter(pk=site.pk).update(masks_identifiers=True)
    return site


def case_b() -> dict[str, Any]:
    [path] = [path for path in SHIPPED_CASES if path.stem == "case_b_call"]
    raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    raw["title"] = "Call about Mira Stonecrop, 1971-04-09"
    raw["call"]["patient_name"] = "Rowan Quillfeather"
    raw["speakers"]["rep"]["label"] = "Mira Stonecrop"
    return raw


@pytest.fixture
def call_id(north: Site) -> UUID:
    return prefilled(read(case_b()), north)


def client_of(role: Role, site: Site) -> Client:
    client = Client()
    client.force_login(make_person(role, site=site))
    return client


@pytest.fixture
def ann(north: Site) -> Client:
    return client_of(Role.REVIEWER, north)


def page_of(client: Client, call_id: UUID, asked: str = "") -> str:
    answer = client.get(reverse("review:call", args=[call_id]) + asked)
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


def leaks(text: str) -> list[str]:
    return [one for one in CANARIES if one.lower() in html.unescape(text).lower()]


def show(client: Client, call_id: UUID, **typed: object) -> Any:
    given = {"form_key": uuid4(), "why": "JUDGE", "words": "", **typed}
    return client.post(reverse("review:reveal", args=[call_id]), given)


def decide(client: Client, call_id: UUID, phase: str, kind: str, **typed: object) -> Any:
    given = {"kind": kind, "revision": 1, "form_key": uuid4(), **typed}
    name = "review:row_decided" if "desk" in typed else "review:decide_row"
    return client.post(reverse(name, args=[call_id, phase]), given)


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.SENIOR_REVIEWER, Role.AUDITOR])
def test_no_page_answers_with_an_identifier_before_it_is_revealed(
    role: Role, call_id: UUID, north: Site
) -> None:
    client = client_of(role, north)
    ben = client_of(Role.REVIEWER, north)
    for kind in ("COMMENT", "DOUBT"):
        said = "Mira Stonecrop said Rowan Quillfeather was born 1971-04-09."
        assert decide(ben, call_id, "PID", kind, reason=said).status_code == 302
    known = {"call_id": call_id, "phase": "PID", "fact": "fact"}
    for name in OWN_SITE:
        if addresses()[name] <= known.keys():
            answer = client.get(
                reverse(name, kwargs={key: known[key] for key in addresses()[name]})
            )
            assert leaks(answer.content.decode()) == [], name
    for phase in PhaseRow.objects.values_list("phase", flat=True):
        assert leaks(page_of(client, call_id, f"?row={phase}")) == [], phase


def test_what_a_decision_answers_with_is_masked_too(ann: Client, call_id: UUID) -> None:
    moved = {"start": "60", "reason": "why", "desk": "1"}
    answers = [
        decide(ann, call_id, "PID", "CONFIRM", desk="1"),
        decide(ann, call_id, "CSV", "SET_START", **moved),
        decide(ann, call_id, "PID", "SET_START", start="early", desk="1"),
        decide(ann, call_id, "PID", "SET_EVIDENCE", item="who", turn="50", words="Rowe", desk="1"),
    ]
    assert [one.status_code for one in answers] == [200, 200, 422, 422]
    assert [leaks(one.content.decode()) for one in answers] == [[]] * 4
    assert "█" in answers[0].content.decode()


def test_the_mapping_page_is_masked_and_maps_as_before(north: Site) -> None:
    publish(catalog_source("micro"))
    said = (
        b"Mira Stonecrop: Hello, may I help?\n"
        b"Rowan Quillfeather: Yes. I was born 1971-04-09.\n"
        b"Mira Stonecrop: Thank you.\n"
        b"Rowan Quillfeather: Bye.\n"
    )
    [call] = parse_calls(said, name="call.txt").calls
    call_id = take(call, north).call_id
    senior = client_of(Role.SENIOR_REVIEWER, north)
    for name in ("review:mapping", "review:call", "review:calls"):
        answer = senior.get(reverse(name, args=[call_id] if name != "review:calls" else []))
        assert answer.status_code == 200
        assert leaks(answer.content.decode()) == [], name


def test_evidence_selected_in_masked_words_has_the_offsets_of_the_true_ones(
    ann: Client, call_id: UUID
) -> None:
    page_of(ann, call_id)
    words = "█████ ████████████, born"
    item = PhaseRow.objects.get(phase="PID")
    assert item is not None
    sent = decide(ann, call_id, "PID", "SET_EVIDENCE", item="patient", turn="50", words=words)
    if sent.status_code == 422:
        # Which items the phase has is the catalog's business: take its first.
        shown = page_of(ann, call_id, "?row=PID")
        first = shown.split('name="item"')[1].split('value="')[1].split('"')[0]
        sent = decide(ann, call_id, "PID", "SET_EVIDENCE", item=first, turn="50", words=words)
    assert sent.status_code == 302
    value = Decision.objects.get(kind="SET_EVIDENCE").value
    assert (value["turn"], value["start"], value["end"]) == (50, 0, len("Rowan Quillfeather, born"))


def test_a_reveal_with_a_reason_shows_them_to_this_person_of_this_call_alone(
    ann: Client, call_id: UUID, north: Site
) -> None:
    other = prefilled(read({**case_b(), "id": "another"}), north)
    assert "Identifiers are masked at this site: " in page_of(ann, call_id)
    answer = show(ann, call_id, why="OTHER", words="The member asks on the phone.")
    assert answer.status_code == 302
    shown = page_of(ann, call_id)
    assert all(one in shown for one in SAID)
    assert "Identifiers are shown to you until" in shown
    assert leaks(page_of(ann, other)) == []
    assert leaks(page_of(client_of(Role.REVIEWER, north), call_id)) == []


def test_the_log_has_who_revealed_and_why_and_no_word(ann: Client, call_id: UUID) -> None:
    show(ann, call_id, why="OTHER", words="The member asks on the phone.")
    page_of(ann, call_id)
    bodies = [json.loads(one.body) for one in entries_of(call_id)]
    [said] = [one for one in bodies if one["type"] == "call.reveal"]
    assert said["actor"]["id"] == str(Reveal.objects.get().by_id)
    assert (said["facts"]["why"], said["facts"]["minutes"]) == ("OTHER", 30)
    assert said["facts"]["alert"] is False
    assert len(said["facts"]["reason_commitment"]) == 64
    note = CallNote.objects.get(kind="REVEALED")
    assert b"member" not in bytes(note.sealed)
    opened = [one["facts"]["masked"] for one in bodies if one["type"] == "call.open"]
    assert opened[-1] is False


def test_it_ends_by_itself_and_by_hiding(ann: Client, call_id: UUID) -> None:
    assert show(ann, call_id).status_code == 302
    assert leaks(page_of(ann, call_id))
    assert ann.post(reverse("review:hide", args=[call_id])).status_code == 302
    assert leaks(page_of(ann, call_id)) == []
    show(ann, call_id)
    assert leaks(page_of(ann, call_id))
    by = Reveal.objects.get(hidden_at=None).by
    ann.post(reverse("review:hide", args=[call_id]))
    ground, past = Ground("JUDGE"), timezone.now() - timedelta(minutes=31)
    reveal_identifiers(call_id=call_id, reveal_id=uuid4(), ground=ground, by=by, at=past)
    assert leaks(page_of(ann, call_id)) == []


REFUSED: list[tuple[dict[str, object], str, str]] = [
    ({"why": ""}, "Choose what you need the identifiers for.", "reveal-why"),
    ({"why": "CURIOUS"}, "Select a valid choice", "reveal-why"),
    ({"why": "OTHER", "words": "  "}, "Write down which reason", "reveal-words"),
    ({"why": "OTHER", "words": "a" * 2_001}, "2,000 are kept", "reveal-words"),
]


@pytest.mark.parametrize(("typed", "sentence", "field"), REFUSED)
def test_a_reveal_without_a_reason_is_refused_at_its_field(
    typed: dict[str, object], sentence: str, field: str, ann: Client, call_id: UUID
) -> None:
    answer = show(ann, call_id, **typed)
    shown = html.unescape(answer.content.decode())
    assert answer.status_code == 422
    assert sentence in shown
    assert f'id="{field}"' in shown
    assert "<details open>" in shown
    assert leaks(shown) == []
    assert not Reveal.objects.exists()


def test_a_form_that_is_sent_twice_reveals_once(ann: Client, call_id: UUID) -> None:
    key = uuid4()
    assert [show(ann, call_id, form_key=key).status_code for _ in range(2)] == [302, 302]
    assert Reveal.objects.count() == 1


def test_who_may_not_reveal_sees_no_form_and_is_refused(call_id: UUID, north: Site) -> None:
    auditor = client_of(Role.AUDITOR, north)
    assert "Show them…" not in page_of(auditor, call_id)
    assert show(auditor, call_id).status_code == 403
    assert show(client_of(Role.REVIEWER, make_site("south")), call_id).status_code == 404
    assert show(client_of(Role.ADMINISTRATOR, north), call_id).status_code == 404
    assert not Reveal.objects.exists()


def test_a_compliance_officers_reveal_is_told_to_security(call_id: UUID, north: Site) -> None:
    assert show(client_of(Role.COMPLIANCE_OFFICER, north), call_id).status_code == 302
    bodies = [json.loads(one.body) for one in entries_of(call_id)]
    assert [one["facts"]["alert"] for one in bodies if one["type"] == "call.reveal"] == [True]


def test_a_site_that_masks_nothing_has_nothing_to_reveal(
    ann: Client, call_id: UUID, north: Site
) -> None:
    Site.objects.filter(pk=north.pk).update(masks_identifiers=False)
    shown = page_of(ann, call_id)
    assert "Rowan Quillfeather" in shown
    assert 'id="masking"' not in shown
    answer = show(ann, call_id)
    assert answer.status_code == 422
    assert "masks no identifiers" in html.unescape(answer.content.decode())


def test_masking_keeps_the_page_within_its_queries(ann: Client, call_id: UUID) -> None:
    page_of(ann, call_id)
    with CaptureQueriesContext(connection) as asked:
        page_of(ann, call_id)
    assert len(asked) <= 15


def test_the_signing_page_says_how_the_call_was_read(ann: Client, call_id: UUID) -> None:
    path = reverse("review:sign", args=[call_id])
    before = ann.get(path).content.decode()
    assert "you have not had those of this call shown" in before
    show(ann, call_id)
    assert "You had those of this call shown on" in ann.get(path).content.decode()


@pytest.mark.parametrize(
    "change", ["delete from review_reveal", "update review_reveal set why = 'OTHER'"]
)
def test_the_database_keeps_a_reveal_as_it_was(change: str, ann: Client, call_id: UUID) -> None:
    show(ann, call_id)
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(change)
