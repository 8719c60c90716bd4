"""The pages of imports: from the form to the list of what became of each call."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from oipsce_site.people.models import Site
from oipsce_site.people.roles import Role
from review.actions.workers import note_beat
from review.models import ImportBatch
from review.tasks import import_waiting
from tests.factories import NOON, catalog_source, make_person, make_site, publish, raw_micro

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def north() -> Site:
    publish(catalog_source("micro"))
    return make_site("north")


@pytest.fixture
def client(north: Site) -> Client:
    return client_of(Role.COMPLIANCE_OFFICER, north)


def client_of(role: Role, site: Site) -> Client:
    client = Client()
    client.force_login(make_person(role, site=site))
    return client


def file(name: str = "a.json", **changes: Any) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, json.dumps(raw_micro(**changes)).encode())


def hand_in(client: Client, site: Site, *files: SimpleUploadedFile) -> Any:
    return client.post(reverse("review:imports"), {"site": str(site.pk), "uploads": list(files)})


def only_batch() -> UUID:
    return ImportBatch.objects.get().pk


def test_files_handed_in_become_a_batch_and_ring_the_worker(
    client: Client, north: Site, bells: list[str]
) -> None:
    answer = hand_in(client, north, file(), file("b.json", id="b"))
    batch_id = only_batch()
    assert answer["Location"] == reverse("review:import_batch", args=[batch_id])
    assert bells == ["review.import_waiting"]
    page = client.get(answer["Location"]).content.decode()
    assert "waiting" in page
    assert "a.json and 1 more" in page
    assert reverse("review:import_progress", args=[batch_id]) in page


def test_the_page_says_what_became_of_each_call(client: Client, north: Site) -> None:
    hand_in(client, north, file(), SimpleUploadedFile("bad.json", b"{"))
    import_waiting()
    address = reverse("review:import_batch", args=[only_batch()])
    page = client.get(address).content.decode()
    assert "1 created" in page
    assert "1 refused" in page
    assert "bad_json" in page
    refused = client.get(address, {"word": "refused"}).content.decode()
    assert "bad.json" in refused
    assert "a.json, case-micro" not in refused


def test_the_list_can_be_downloaded_and_holds_no_formula(client: Client, north: Site) -> None:
    hand_in(client, north, file("=1+1.json", id="=cmd()"), SimpleUploadedFile("bad.json", b"{"))
    import_waiting()
    answer = client.get(reverse("review:import_outcomes", args=[only_batch()]))
    rows = b"".join(answer.streaming_content).decode().splitlines()  # type: ignore[attr-defined]
    assert rows[0] == "number,outcome,place,sentence,call"
    assert len(rows) == 3
    assert '"\'=1+1.json, =cmd()"' in rows[1]
    assert "no-store" in answer["Cache-Control"]


FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"uploads": []}, "Choose one or more files of calls."),
    ({"uploads": [SimpleUploadedFile("e.json", b"")]}, "The file is empty."),
    ({"uploads": [file()], "format": "nonsense"}, "There is no such format."),
    (
        {"uploads": [file()], "site": "00000000-0000-0000-0000-000000000000"},
        "You do not import for this site.",
    ),
]


@pytest.mark.parametrize(("fields", "sentence"), FAULTS)
def test_a_fault_comes_back_at_its_field(
    fields: dict[str, Any], sentence: str, client: Client, north: Site
) -> None:
    answer = client.post(reverse("review:imports"), {"site": str(north.pk), **fields})
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not ImportBatch.objects.exists()


def test_an_upload_beyond_the_memory_is_said_and_not_half_taken(
    client: Client, north: Site, settings: Any
) -> None:
    settings.FILE_UPLOAD_MAX_MEMORY_SIZE = 1000
    answer = hand_in(client, north, file(), file("b.json", id="b"))
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "were not taken. Send fewer at a time" in page
    assert "Choose one or more files" not in page
    assert not ImportBatch.objects.exists()


def test_another_site_cannot_be_chosen(client: Client) -> None:
    south = make_site("south")
    assert hand_in(client, south, file()).status_code == 422
    assert not ImportBatch.objects.exists()


def test_pause_and_resume(client: Client, north: Site, bells: list[str]) -> None:
    hand_in(client, north, file())
    batch_id = only_batch()
    client.post(reverse("review:pause_import", args=[batch_id]))
    import_waiting()
    page = client.get(reverse("review:import_batch", args=[batch_id])).content.decode()
    assert "paused" in page
    assert "Resume" in page
    bells.clear()
    client.post(reverse("review:resume_import", args=[batch_id]))
    assert bells == ["review.import_waiting"]
    import_waiting()
    again = client.post(reverse("review:pause_import", args=[batch_id]), follow=True)
    assert "is done by now" in again.content.decode()


def test_progress_is_a_fragment_that_stops_asking_when_it_is_over(
    client: Client, north: Site
) -> None:
    hand_in(client, north, file())
    address = reverse("review:import_progress", args=[only_batch()])
    running = client.get(address).content.decode()
    assert "<html" not in running
    assert "hx-trigger" in running
    import_waiting()
    over = client.get(address).content.decode()
    assert "hx-trigger" not in over
    assert "1 created" in over


def test_a_dead_worker_is_said(client: Client, north: Site) -> None:
    hand_in(client, north, file())
    address = reverse("review:import_batch", args=[only_batch()])
    assert "No worker has run yet." in client.get(address).content.decode()
    note_beat(worker="w", at=NOON)
    page = client.get(address).content.decode()
    assert "The worker is not running since 29 November, 12:00 UTC." in page


def test_an_administrator_sees_batches_without_text(client: Client, north: Site) -> None:
    hand_in(client, north, file("secret-name.json"))
    import_waiting()
    batch_id = only_batch()
    administrator = client_of(Role.ADMINISTRATOR, north)
    for address in (reverse("review:imports"), reverse("review:import_batch", args=[batch_id])):
        page = administrator.get(address).content.decode()
        assert "secret-name" not in page
        assert "case-micro" not in page
        assert "1 of 1 calls" in page
    answer = administrator.get(reverse("review:import_outcomes", args=[batch_id]))
    assert answer.status_code == 403
    assert hand_in(administrator, north, file()).status_code == 403


def test_the_list_takes_a_fixed_number_of_queries(
    client: Client, north: Site, django_assert_num_queries: Any
) -> None:
    for number in range(4):
        hand_in(client, north, file(id=f"c{number}"))
    with django_assert_num_queries(9):
        client.get(reverse("review:imports"))
