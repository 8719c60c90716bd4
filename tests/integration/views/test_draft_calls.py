"""A draft tried on past calls: made a test in one act, and the turns that its rules hit."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse

from catalogs.actions.drafts import Beginning, start_draft
from catalogs.models import Draft, DraftText, RehearsalReport
from catalogs.queries import check_text
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from review.actions.draft_rehearsals import order_rehearsal
from review.core.queue import QueueClass
from review.models import Call, State
from review.tasks.rehearsals import rehearse_drafts
from tests.factories import NOON, case, catalog_source, make_person, make_site, prefilled, publish

pytestmark = pytest.mark.django_db

AUTHOR = Role.CATALOG_AUTHOR


@pytest.fixture
def author() -> User:
    return make_person(AUTHOR)


@pytest.fixture
def call_id() -> UUID:
    publish(catalog_source("micro"))
    return prefilled(case(), make_site("north"))


def client_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def begun(by: User, source: bytes | None = None) -> UUID:
    beginning = Beginning("Mine", source or catalog_source("micro"))
    return start_draft(draft_id=uuid4(), catalog_id=uuid4(), beginning=beginning, by=by, at=NOON)


def text_of(draft_id: UUID) -> bytes:
    current = Draft.objects.get(pk=draft_id).current
    return bytes(DraftText.objects.get(draft=draft_id, number=current).source)


def words_of_case() -> list[bytes]:
    return [turn.text.encode() for turn in case().turns]


def test_a_past_call_is_made_a_test_in_one_act(author: User, call_id: UUID) -> None:
    client, draft_id = client_of(author), begun(author)
    page = reverse("review:draft_rehearsal", args=[draft_id])
    where = reverse("review:draft_call_test", args=[draft_id])
    offered = client.get(page).content.decode()
    assert f'<option value="{call_id}">North, ' in offered
    before = text_of(draft_id)

    # Of another text than the one that stands: told, nothing added.
    assert client.post(where, {"call": call_id, "expected": 0}).status_code == 409
    for unfit in ("", "x", str(uuid4())):
        answer = client.post(where, {"call": unfit, "expected": 1})
        assert (answer.status_code, b"can be a test" in answer.content) == (422, True)
    assert text_of(draft_id) == before

    assert client.post(where, {"call": call_id, "expected": 1}).status_code == 302
    text = text_of(draft_id)
    # The comments and every other byte stay; no word of the call has come in.
    added = text.replace(before[: before.index(b"tests:")], b"")
    assert added.count(b"stored:") == 1
    assert b"required:" in added
    assert not [words for words in words_of_case() if words in added]
    assert client.get(page).context["draft"].current == 2

    # A worker opens the call where it is kept, and the rows come out as they stand.
    order_rehearsal(order_id=uuid4(), draft_id=draft_id, by=author, at=datetime.now(UTC))
    rehearse_drafts()
    tests = RehearsalReport.objects.latest("made_at").result["tests"]
    [mine] = [one for one in tests if one["label"] == f"stored:{call_id}"]
    assert mine["differences"] == []


def test_what_waits_for_a_blind_reader_is_out_of_reach(author: User, call_id: UUID) -> None:
    client, draft_id = client_of(author), begun(author)
    Call.objects.update(queue_class=QueueClass.BLIND.value, state=State.AWAITING_REVIEW)
    assert (
        str(call_id)
        not in client.get(reverse("review:draft_rehearsal", args=[draft_id])).content.decode()
    )
    where = reverse("review:draft_call_test", args=[draft_id])
    assert client.post(where, {"call": call_id, "expected": 1}).status_code == 422
    hits = client.get(reverse("review:draft_hits", args=[draft_id]), {"calls": str(call_id)})
    assert b"turn " not in hits.content
    assert b"Not there for you to try" in hits.content


def test_hits_of_a_past_call_are_turns_without_words(author: User, call_id: UUID) -> None:
    source = catalog_source("micro")
    draft_id = begun(author, source)
    where = reverse("review:draft_hits", args=[draft_id])
    client = client_of(author)
    past = client.get(where, {"calls": str(call_id)}).content.decode()
    assert f"<code>{call_id}</code>" in past
    assert "turn 3" in past
    assert f"/calls/{call_id}/" not in past
    assert not [words for words in words_of_case() if words.decode() in past]
    # A case that comes with the product shows its words, and is what the tests name.
    assert "<q>" in client.get(where).content.decode()
    # Whoever opens calls gets to the turn.
    both = client_of(make_person(AUTHOR, Role.REVIEWER, site=make_site("north")))
    assert f"/calls/{call_id}/#t3" in both.get(where, {"calls": str(call_id)}).content.decode()


def test_typed_patterns_do_not_find_identifiers_in_a_past_call(author: User, call_id: UUID) -> None:
    draft_id = begun(author)
    where = reverse("review:draft_examples", args=[draft_id])
    document = check_text(text_of(draft_id), NOON.date(), None).document
    assert document is not None
    phase = document.phases[0].id
    client = client_of(author)
    sent = {"phase": phase, "calls": [str(call_id)]}
    for pattern, hit in ((r"(?i)\w", True), (r"\d{4,}", False)):
        place = "text:phases.0.starts.0.re"
        answer = client.post(where, {**sent, place: pattern}).content.decode()
        [line] = [one for one in answer.split("<li>") if "what starts it, pattern 1" in one]
        assert ("turn " in line) is hit, line
    # What is typed cannot be run: said, and nothing is stored.
    refused = client.post(where, {**sent, place: "("})
    assert (refused.status_code, b"This cannot be run" in refused.content) == (200, True)
    assert Draft.objects.get(pk=draft_id).current == 1
    page = client.post(reverse("review:draft_hits", args=[draft_id]), {**sent, place: "("})
    assert (page.status_code, b"Nothing is stored" in page.content) == (200, True)
