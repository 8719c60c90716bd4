"""Writing a draft and bringing it into force: nothing typed is lost, nothing published changes."""

from __future__ import annotations

import json
import re
from uuid import UUID, uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from catalogs.actions.calibration import waive_calibration
from catalogs.models import CatalogVersion, Draft, DraftText, VersionState
from oipsce_site.ledger.queries import entries_of, verify
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from tests.factories import NOON, catalog_source, make_person, publish, rehearsed
from tests.fuzzed_drafts import FuzzedDrafts

pytestmark = pytest.mark.django_db

SLUG = "member-benefits-micro"
AUTHOR = Role.CATALOG_AUTHOR


def client_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def begin(client: Client, **sent: object) -> Draft:
    assert client.post(reverse("catalogs:drafts"), sent).status_code == 302
    return Draft.objects.latest("created_at")


def at(name: str, draft: Draft, *more: object) -> str:
    return reverse(f"catalogs:{name}", args=[draft.id, *more])


def source_of(draft: Draft, number: int | None = None) -> bytes:
    draft.refresh_from_db()
    return bytes(DraftText.objects.get(draft=draft, number=number or draft.current).source)


def test_a_draft_follows_a_version_under_the_next_number() -> None:
    version_id = publish(catalog_source("micro"))
    draft = begin(client_of(make_person(AUTHOR)), version=str(version_id))
    text = source_of(draft).decode()
    assert "version: 2.1.0" in text
    assert "# what the caller says after the question" in text
    assert [json.loads(one.body)["type"] for one in entries_of(draft.id)] == [
        "genesis",
        "draft.start",
    ]


def test_what_is_typed_is_stored_and_checked_and_every_text_stays() -> None:
    client = client_of(make_person(AUTHOR))
    draft = begin(client)
    before = source_of(draft)
    sent = {"text": "format: [\r\n", "expected": 1}
    answer = client.post(at("draft-checked", draft), sent)
    assert (answer.status_code, answer.content.count(b"E112")) == (200, 1)
    assert f'href="{at("draft-text", draft, 2)}#L'.encode() in answer.content
    assert source_of(draft) == b"format: [\n"
    assert client.post(at("draft-checked", draft), sent).status_code == 200, "again stores nothing"
    assert source_of(draft, 1) == before
    back = client.post(at("draft-text-back", draft, 1), {"expected": 2})
    assert back.status_code == 302
    assert (source_of(draft), draft.current) == (before, 3)


def test_two_authors_at_one_draft_lose_nothing() -> None:
    one, two = client_of(make_person(AUTHOR)), client_of(make_person(AUTHOR))
    draft = begin(one)
    assert one.post(at("draft", draft), {"text": "one", "expected": 1}).status_code == 302
    for name in ("draft-checked", "draft"):
        answer = two.post(at(name, draft), {"text": "two & more", "expected": 1})
        assert answer.status_code == 409
        assert b"one" in answer.content
        assert b"two &amp; more" in answer.content
    assert source_of(draft) == b"one"
    assert sorted(bytes(row.source) for row in draft.texts.all())[-2:] == [b"one", b"two & more"]
    assert two.post(at("draft", draft), {"text": "two & more", "expected": 2}).status_code == 302
    assert source_of(draft) == b"two & more"
    assert verify(draft.id) == []


def test_a_files_bytes_are_kept_and_handed_out_as_they_are() -> None:
    client = client_of(make_person(AUTHOR))
    draft = begin(client)
    for number, data in enumerate(
        (b"\xff\xfe\x00", b"a: 1\r\n# c\r\n", b"\xef\xbb\xbfx", b"- " * 9), 1
    ):
        file = SimpleUploadedFile("x.yaml", data)
        assert (
            client.post(at("draft-file", draft), {"expected": number, "file": file}).status_code
            == 302
        )
        assert client.get(at("draft-document", draft)).content == data
        for name in ("draft", "draft-form", "draft-changes"):
            assert client.get(at(name, draft)).status_code == 200


def test_texts_and_published_versions_do_not_change_by_sql() -> None:
    publish(catalog_source("micro"))
    draft = begin(client_of(make_person(AUTHOR)))
    for statement in (
        "update catalogs_drafttext set source = 'x'",
        "delete from catalogs_drafttext",
        "update catalogs_catalogversion set source = 'x'",
        "delete from catalogs_catalogversion",
    ):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    assert source_of(draft)


def test_random_edits_lose_nothing_and_break_no_page() -> None:
    FuzzedDrafts(seed=11).run(60)


def handed_in(author: Client, text: str) -> Draft:
    draft = begin(author)
    assert author.post(at("draft", draft), {"text": text, "expected": 1}).status_code == 302
    assert author.post(at("draft-hand-in", draft), {"expected": 2}).status_code == 302
    draft.refresh_from_db()
    return draft


def step(client: Client, name: str, version: str = "2.0.0", **sent: object) -> int:
    where = reverse("catalogs:review", args=[SLUG, version])
    return client.post(where, {"step": name, **sent}).status_code


def test_a_draft_goes_through_review_into_force() -> None:
    writer, boss = make_person(AUTHOR, Role.CATALOG_APPROVER), make_person(Role.CATALOG_APPROVER)
    author, approver = client_of(writer), client_of(boss)
    text = catalog_source("micro").decode()
    draft = handed_in(author, text)
    version = CatalogVersion.objects.get()
    digest = version.digest
    assert step(author, "publish", digest=digest) == 422, "not by its author"
    page = author.get(reverse("catalogs:review", args=[SLUG, "2.0.0"])).content.decode()
    for words in ("second person; you wrote", "not been rehearsed", "record a calibration"):
        assert words in page
    assert step(approver, "changes", words="Say who.", phase="NONE") == 422
    assert step(approver, "changes", words="Say who.", phase="PID") == 302
    assert CatalogVersion.objects.get().state == VersionState.DRAFT
    assert b"came back to you" in author.get(at("draft", draft)).content
    mended = text.replace("name: Coverage told", "name: Coverage is told")
    assert author.post(at("draft", draft), {"text": mended, "expected": 2}).status_code == 302
    assert author.post(at("draft-hand-in", draft), {"expected": 3}).status_code == 302
    version.refresh_from_db()
    assert bytes(version.source).decode() == mended
    assert step(approver, "publish", digest=digest) == 422, "another text than was read"
    rehearsed(version.id, mended.encode())
    assert step(approver, "waive", reason="A small change.") == 302
    assert step(approver, "approve", digest=version.digest) == 302
    assert step(approver, "publish", digest=version.digest) == 302
    version.refresh_from_db()
    assert version.state == VersionState.PUBLISHED
    assert step(approver, "retire", last_day="2027-01-01") == 302
    kinds = [json.loads(one.body)["type"] for one in entries_of(version.catalog_id)]
    assert verify(version.catalog_id) == []
    assert kinds == [
        *("genesis", "version.draft", "version.submit", "version.ask_changes", "version.revise"),
        *("version.submit", "rehearsal.store", "calibration.waive", "version.approve"),
        *("version.publish", "version.retire"),
    ]


def test_who_wrote_any_text_of_a_draft_cannot_publish_it() -> None:
    second = make_person(AUTHOR, Role.CATALOG_APPROVER)
    author = client_of(make_person(AUTHOR))
    draft = begin(author)
    text = catalog_source("micro").decode()
    assert (
        client_of(second).post(at("draft", draft), {"text": text, "expected": 1}).status_code == 302
    )
    assert author.post(at("draft-hand-in", draft), {"expected": 2}).status_code == 302
    version = CatalogVersion.objects.get()
    waive_calibration(version_id=version.id, report_id=uuid4(), reason="x", by=second, at=NOON)
    rehearsed(version.id, text.encode())
    assert step(client_of(second), "approve", digest=version.digest) == 422
    assert step(client_of(second), "publish", digest=version.digest) == 422


def test_a_roll_back_is_a_new_version_of_the_old_text() -> None:
    first = publish(catalog_source("micro"))
    draft = begin(client_of(make_person(AUTHOR)), version=str(first), back="on")
    text = source_of(draft).decode()
    assert "Brings back 2.0.0." in text
    assert CatalogVersion.objects.get(pk=first).state == VersionState.PUBLISHED
    assert UUID(str(draft.started_from_id)) == first


def test_the_form_changes_the_text_and_nothing_else() -> None:
    client = client_of(make_person(AUTHOR))
    draft = begin(client, version=str(publish(catalog_source("micro"))))
    before = source_of(draft).decode()
    sent = {"expected": 1, "phase": "CSV", "text:phases.1.name": "Told"}
    assert client.post(at("draft-form", draft), sent).status_code == 302
    assert source_of(draft).decode() == before.replace("name: Coverage told", "name: Told")
    edge = {"expected": 2, "act": "add-edge", "parent": "CSV", "child": "DCC", "critical": "yes"}
    assert client.post(at("draft-form", draft), edge).status_code == 302
    page = client.get(at("draft", draft)).content.decode()
    assert "rationale" in page
    old = {"expected": 1, "phase": "CSV", "text:phases.1.name": "Other"}
    assert client.post(at("draft-form", draft), old).status_code == 409
    assert client.post(at("draft-form", draft), {"expected": 3, "act": "what"}).status_code == 422


def test_a_condition_that_cannot_be_read_is_said_at_its_field_and_nothing_typed_is_lost() -> None:
    client = client_of(make_person(AUTHOR))
    draft = begin(client, version=str(publish(catalog_source("micro"))))
    page = client.get(at("draft-form", draft)).content.decode()
    assert '<option value="CSV passed">yes or no, the phase ' in page
    assert re.search(r'<option value="call\.type">string, an attribute of the call', page)
    field = "duty:phases.1.required"
    assert (
        f'name="{field}" value="always" spellcheck="false" autocomplete="off" list="names-' in page
    )
    sent = {"expected": 1, "phase": "CSV", "text:phases.1.name": "Told", field: "PID passd and"}
    refused = client.post(at("draft-form", draft), sent)
    shown = refused.content.decode()
    assert refused.status_code == 422
    assert 'value="Told"' in shown
    assert 'value="PID passd and"' in shown
    assert re.search(r'id="f-duty-phases-1-required-error"><li>At character \d+', shown)
    assert draft_number(draft) == 1
    # A name that is not there is stored like any text, and lint says so beside the field.
    assert client.post(at("draft-form", draft), {**sent, field: "nothing_yet"}).status_code == 302
    shown = client.get(at("draft-form", draft)).content.decode()
    assert re.search(r'required-error"><li>unknown fact &#x27;nothing_yet&#x27;.*\(E302\)', shown)


def draft_number(draft: Draft) -> int:
    draft.refresh_from_db()
    return draft.current
