"""Imports in the background: nothing lost, nothing twice, whoever dies or changes their mind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from oipsce_site.sealing import SealBroken
from review.actions.batches import (
    LEASE,
    MOST_LOSSES,
    StartedBatch,
    UnableToBatch,
    Upload,
    claim_batch,
    open_files,
    pause_batch,
    receive_batch,
    resume_batch,
    store_portion,
)
from review.core.batches import Portion, read_portions
from review.core.transcript import MAX_BYTES
from review.models import BatchState, Call, ImportBatch, ImportLine, PrefillRun, Turn
from review.permissions import NotAllowed
from review.tasks import import_waiting, imports
from tests.factories import NOON, catalog_source, make_person, make_site, publish, raw_micro

pytestmark = pytest.mark.django_db

CALLS = 130


class Killed(BaseException):
    """Stands for a kill: no handler of errors catches it, and nothing after it runs."""


@pytest.fixture
def importer(north: Site) -> User:
    return make_person(Role.COMPLIANCE_OFFICER, site=north)


@pytest.fixture
def north() -> Site:
    publish(catalog_source("micro"))
    return make_site("north")


def calls_file(count: int = CALLS) -> Upload:
    raw = [raw_micro(id=f"c{number}") for number in range(count)]
    return Upload("calls.json", json.dumps({"format": "oip-calls/1", "calls": raw}).encode())


def receive(importer: User, *uploads: Upload) -> UUID:
    batch_id = uuid4()
    receive_batch(
        batch_id=batch_id,
        site=make_site("north"),
        uploads=uploads or [calls_file()],
        by=importer,
        at=NOON,
    )
    return batch_id


def lines() -> list[tuple[int, str, str]]:
    rows = ImportLine.objects.order_by("position")
    return list(rows.values_list("position", "word", "place"))


def check_all_there_once() -> None:
    assert [(position, place) for position, _, place in lines()] == [
        (number, f"calls.json, c{number}") for number in range(CALLS)
    ]
    assert Call.objects.count() == PrefillRun.objects.count() == CALLS
    assert Turn.objects.count() == CALLS * len(raw_micro()["turns"])
    batch = ImportBatch.objects.get()
    assert (batch.state, batch.cursor, batch.expected) == (BatchState.DONE, CALLS, CALLS)
    assert (batch.parts, batch.parts_done) == (1, 1)


def test_a_batch_is_imported_to_its_end_and_its_files_are_gone(importer: User) -> None:
    receive(importer)
    import_waiting()
    check_all_there_once()
    batch = ImportBatch.objects.get()
    assert {word for _, word, _ in lines()} == {"CREATED"}
    assert bytes(batch.wrapped_key) == bytes(batch.files.get().sealed) == b""
    assert {call.received_by for call in Call.objects.all()} == {importer}


def test_what_waits_is_sealed(importer: User) -> None:
    receive(importer)
    sealed = bytes(ImportBatch.objects.get().files.get().sealed)
    assert b"oip-calls" not in sealed
    started = claimed()
    assert open_files(started=started) == [calls_file()]
    ImportBatch.objects.get().files.update(sealed=sealed[:-1] + b"x")
    with pytest.raises(SealBroken):
        open_files(started=started)


def claimed(at: datetime = NOON) -> StartedBatch:
    started = claim_batch(at=at)
    assert started is not None
    return started


@pytest.mark.parametrize("survived", [0, 1, 2])
def test_a_killed_worker_loses_nothing_and_doubles_nothing(
    survived: int, importer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    receive(importer)
    with monkeypatch.context() as patched:
        patched.setattr(imports, "store_portion", killing(survived))
        with pytest.raises(Killed):
            import_waiting()
    assert ImportLine.objects.count() == survived * 50
    assert claim_batch(at=datetime.now(UTC)) is None
    ImportBatch.objects.update(lease_until=datetime.now(UTC) - timedelta(seconds=1))
    import_waiting()
    check_all_there_once()


def killing(survived: int) -> object:
    """Return a store_portion whose worker is killed after so many portions."""
    left = iter(range(survived))

    def store(*, started: StartedBatch, portion: Portion, at: datetime) -> bool:
        if next(left, None) is None:
            raise Killed
        return store_portion(started=started, portion=portion, at=at)

    return store


def test_a_worker_that_comes_late_stores_nothing(importer: User) -> None:
    receive(importer)
    first = claimed()
    assert claim_batch(at=NOON + LEASE) is None
    second = claimed(NOON + LEASE + timedelta(seconds=1))
    portion = next(read(first))
    with pytest.raises(UnableToBatch, match="Another worker"):
        store_portion(started=first, portion=portion, at=NOON)
    assert not Call.objects.exists()
    assert store_portion(started=second, portion=portion, at=NOON) is True


def read(started: StartedBatch) -> Iterator[Portion]:
    files = [(upload.name, upload.data) for upload in open_files(started=started)]
    return read_portions(files, form=None, parts_done=started.parts_done, in_part=started.in_part)


def test_a_pause_keeps_the_portion_at_hand_and_a_resume_goes_on(importer: User) -> None:
    batch_id = receive(importer)
    started = claimed()
    pause_batch(batch_id=batch_id, by=importer, at=NOON)
    assert store_portion(started=started, portion=next(read(started)), at=NOON) is False
    import_waiting()
    assert ImportLine.objects.count() == 50
    resume_batch(batch_id=batch_id, by=importer, at=NOON)
    import_waiting()
    check_all_there_once()


def test_a_long_import_hands_its_place_back(
    importer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    receive(importer)
    monkeypatch.setattr(imports, "SLICE", timedelta(0))
    for stored in (50, 100, 130):
        import_waiting()
        assert ImportLine.objects.count() == stored
    check_all_there_once()


def test_the_same_file_again_changes_nothing_and_says_so(importer: User) -> None:
    receive(importer)
    import_waiting()
    receive(importer)
    import_waiting()
    assert Call.objects.count() == CALLS
    assert ImportLine.objects.filter(word="UNCHANGED").count() == CALLS


def test_other_bytes_under_a_known_id_are_refused_with_the_place(importer: User) -> None:
    receive(importer, Upload("a.json", json.dumps(raw_micro()).encode()))
    import_waiting()
    receive(importer, Upload("b.json", json.dumps(raw_micro(title="another")).encode()))
    import_waiting()
    refused = ImportLine.objects.get(word="REFUSED")
    assert refused.place == "b.json, case-micro"
    assert "stored already with other content" in refused.sentence


def test_what_the_database_cannot_hold_is_refused_alone(
    importer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("review.actions.intake._LARGEST", 2**80)
    raw = [raw_micro(id=f"c{number}") for number in range(3)]
    raw[1]["turns"][0]["n"] = 2**70
    raw[1]["turn_base"] = 2**70
    for number, turn in enumerate(raw[1]["turns"]):
        turn["n"] = 2**70 + number
    data = json.dumps({"format": "oip-calls/1", "calls": raw}).encode()
    receive(importer, Upload("x.json", data))
    import_waiting()
    assert [word for _, word, _ in lines()].count("REFUSED") == 1
    assert Call.objects.count() == 2


def test_a_batch_that_fails_three_times_waits_for_a_person(
    importer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: object) -> bool:
        raise RuntimeError("words of the file")

    batch_id = receive(importer)
    with monkeypatch.context() as patched:
        patched.setattr(imports, "store_portion", fail)
        for _ in range(MOST_LOSSES):
            import_waiting()
    batch = ImportBatch.objects.get()
    assert batch.state == BatchState.FAILED
    assert "(RuntimeError) after 0 calls" in batch.failure
    assert "words of the file" not in batch.failure
    import_waiting()
    assert not Call.objects.exists()
    resume_batch(batch_id=batch_id, by=importer, at=NOON)
    import_waiting()
    check_all_there_once()


def test_a_batch_that_kills_three_workers_waits_for_a_person(importer: User) -> None:
    receive(importer)
    at = NOON
    for _ in range(MOST_LOSSES):
        claimed(at)
        at += LEASE + timedelta(seconds=1)
    assert claim_batch(at=at) is None
    assert ImportBatch.objects.get().state == BatchState.FAILED


REFUSED_UPLOADS = [
    ([], "No file was chosen"),
    ([Upload("a.json", b"")], "a.json is empty"),
    ([Upload("a.json", b"x" * (MAX_BYTES + 1))], "has over"),
    ([Upload("a.json", b"x")] * 1001, "pack them into a ZIP"),
]


@pytest.mark.parametrize(("uploads", "sentence"), REFUSED_UPLOADS)
def test_what_cannot_be_taken_is_said_at_once(
    uploads: list[Upload], sentence: str, importer: User
) -> None:
    with pytest.raises(UnableToBatch, match=sentence):
        receive_batch(
            batch_id=uuid4(),
            site=make_site("north"),
            uploads=uploads,
            by=importer,
            at=NOON,
        )
    assert not ImportBatch.objects.exists()


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.AUDITOR, Role.ADMINISTRATOR])
def test_only_importers_hand_in_and_steer(role: Role, importer: User, north: Site) -> None:
    batch_id = receive(importer)
    other = make_person(role, site=north)
    with pytest.raises(NotAllowed):
        receive(other)
    with pytest.raises((NotAllowed, UnableToBatch)):
        pause_batch(batch_id=batch_id, by=other, at=NOON)


def test_a_batch_of_another_site_is_not_there(importer: User) -> None:
    batch_id = receive(importer)
    stranger = make_person(Role.COMPLIANCE_OFFICER, site=make_site("south"))
    with pytest.raises(UnableToBatch, match="no such import"):
        pause_batch(batch_id=batch_id, by=stranger, at=NOON)


def test_a_batch_that_is_done_is_neither_paused_nor_resumed(importer: User) -> None:
    batch_id = receive(importer)
    import_waiting()
    for steer in (pause_batch, resume_batch):
        with pytest.raises(UnableToBatch, match="is done by now"):
            steer(batch_id=batch_id, by=importer, at=NOON)
