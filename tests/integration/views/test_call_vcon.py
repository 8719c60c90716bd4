"""A stored call is handed out as a vCon: by whom, masked as its page, and with its entry."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.queries import entries_of
from oipsce_site.people.models import Site
from oipsce_site.people.roles import Role
from review.core.parsers import parse_calls
from tests.factories import (
    catalog_source,
    make_person,
    make_site,
    prefilled,
    publish,
    raw_micro,
    read,
)
from tests.integration.views.test_masking import show

pytestmark = pytest.mark.django_db

BORN, NUMBER = "February fourth, nineteen eighty", "212-555-0144"


@pytest.fixture
def north(db: None) -> Site:
    """Return a site that masks nothing, and the catalog that judges its calls."""
    publish(catalog_source("micro"))
    return make_site("north")


@pytest.fixture
def call_id(north: Site) -> UUID:
    """Return a call with a number in its words and in its own facts."""
    raw = raw_micro(id="rowan-quillfeather-call")
    raw["turns"][0]["text"] += f" My number is {NUMBER}."
    raw["call"]["member_id"] = "XQ12345678"
    raw["call"]["dependent"] = [{"id": "XQ87654321", "names": ["Maro Quillfeather"]}]
    return prefilled(read(raw), north)


def officer(site: Site) -> Client:
    """Return the browser of a compliance officer."""
    client = Client()
    client.force_login(make_person(Role.COMPLIANCE_OFFICER, site=site))
    return client


def fetch(client: Client, call_id: UUID) -> Any:
    """Ask for the file."""
    return client.get(reverse("review:call_vcon", args=[call_id]))


def openings(call_id: UUID) -> list[dict[str, Any]]:
    """Return the entries of openings of a call."""
    bodies: list[Any] = [read_body(entry.body) for entry in entries_of(call_id)]
    return [one["facts"] for one in bodies if one["type"] == "call.open"]


def test_the_file_is_the_call_and_its_name_says_nothing(call_id: UUID, north: Site) -> None:
    answer = fetch(officer(north), call_id)
    assert answer.status_code == 200
    assert answer["Content-Disposition"] == f'attachment; filename="call-{call_id}.vcon"'
    [again] = parse_calls(answer.content, name="one.vcon").calls
    stored = read(raw_micro(id="rowan-quillfeather-call"))
    assert [turn.number for turn in again.turns] == [turn.number for turn in stored.turns]
    assert NUMBER in again.turns[0].text
    assert openings(call_id)[-1]["export"] == "vcon"


def test_where_the_site_masks_the_file_is_masked_until_it_is_revealed(
    call_id: UUID, north: Site
) -> None:
    Site.objects.filter(pk=north.pk).update(masks_identifiers=True)
    client = officer(north)
    masked = fetch(client, call_id).content.decode()
    known = (NUMBER, "XQ12345678", "XQ87654321", "Quillfeather", "rowan-quillfeather")
    assert [one for one in known if one in masked] == []
    assert openings(call_id)[-1] == {**openings(call_id)[-1], "masked": True, "export": "vcon"}
    assert parse_calls(masked.encode(), name="one.vcon").calls
    assert show(client, call_id).status_code == 302
    assert NUMBER in fetch(client, call_id).content.decode()
    assert openings(call_id)[-1]["masked"] is False


def test_a_speaker_whom_the_source_knows_by_name_has_no_name_in_a_masked_file(north: Site) -> None:
    Site.objects.filter(pk=north.pk).update(masks_identifiers=True)
    raw = raw_micro(id="named")
    key = next(iter(raw["speakers"]))
    raw["speakers"] = {
        "Rowan Quillfeather" if one == key else one: said for one, said in raw["speakers"].items()
    }
    for turn in raw["turns"]:
        if turn.get("speaker") == key:
            turn["speaker"] = "Rowan Quillfeather"
    masked = fetch(officer(north), prefilled(read(raw), north)).content.decode()
    assert "Quillfeather" not in masked
    [again] = parse_calls(masked.encode(), name="one.vcon").calls
    # Who says what is as before.
    said = [turn.speaker == "speaker 1" for turn in again.turns]
    assert said == [turn.get("speaker") == "Rowan Quillfeather" for turn in raw["turns"]]


def test_who_only_reads_is_refused_and_opens_nothing(call_id: UUID, north: Site) -> None:
    client = Client()
    client.force_login(make_person(Role.SENIOR_REVIEWER, site=north))
    before = len(openings(call_id))
    assert fetch(client, call_id).status_code == 403
    assert len(openings(call_id)) == before
    assert "Save as vCon" not in client.get(reverse("review:call", args=[call_id])).content.decode()
    page = officer(north).get(reverse("review:call", args=[call_id]))
    assert "Save as vCon" in page.content.decode()
