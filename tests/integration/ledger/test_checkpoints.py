"""The sealer: what a checkpoint commits to, and each reason for which it refuses to sign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import Error, connection, transaction
from pytest_django import Settings

from oipsce_site.ledger import checkpoints, queries
from oipsce_site.ledger.checkpoints import UnableToSeal, begin_new_log, seal_heads
from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.core.entry import About
from oipsce_site.ledger.core.heads import check_heads, prove_heads
from oipsce_site.ledger.core.merkle import Tree, check_consistency
from oipsce_site.ledger.core.sealed import Seal, maps_of, origin_of
from oipsce_site.ledger.queries import last_seal, leaves_of, verify_log
from oipsce_site.ledger.record import ORGANISATION_CHAIN, record
from oipsce_site.signing.core.keys import Use
from oipsce_site.signing.core.note import open_checkpoint
from oipsce_site.signing.store import SigningKeyError, open_store
from tests.integration.ledger.conftest import ANNA, NOON

pytestmark = pytest.mark.django_db

SITE, OTHER_SITE = uuid4(), uuid4()
CALLS = {uuid4(): SITE, uuid4(): SITE, uuid4(): OTHER_SITE}


@pytest.fixture(autouse=True)
def keys(settings: Settings, tmp_path: Path) -> Path:
    settings.SIGNING_KEY_DIR = str(tmp_path / "signing")
    settings.SIGNING_KEYS_AUTOCREATE = True
    return tmp_path / "signing"


def place(chains: Sequence[UUID]) -> Mapping[UUID, UUID]:
    return {chain: CALLS[chain] for chain in chains if chain in CALLS}


def note_in(chain: UUID, about: About = About.CALL, at: datetime = NOON) -> None:
    with transaction.atomic():
        record(chain_id=chain, about=about, kind="row.edit", by=ANNA, at=at)


def seal(at: datetime = NOON, skew: timedelta = timedelta()) -> Seal | None:
    return seal_heads(place=place, at=at, clock=lambda: at + skew)


def sealed(at: datetime = NOON) -> Seal:
    found = seal(at)
    assert found is not None
    return found


@pytest.fixture
def three_calls() -> None:
    for chain in CALLS:
        note_in(chain)
    note_in(ORGANISATION_CHAIN, About.ORGANISATION)


def test_a_checkpoint_commits_to_every_chain_by_site(three_calls: None) -> None:
    found = sealed()
    maps = maps_of(leaves_of(found.epoch, found.size))
    assert {site: len(heads) for site, heads in maps.items() if site in CALLS.values()} == {
        SITE: 2,
        OTHER_SITE: 1,
    }
    assert ORGANISATION_CHAIN in maps
    tree = Tree([leaf.leaf_hash for leaf in leaves_of(found.epoch, found.size)])
    path = tree.inclusion(found.size - 1, found.size)
    for site, heads in maps.items():
        proof = prove_heads(maps, site, found.sealed_at_us, path)
        check_heads(site, heads, proof, found.size, found.root)


def test_the_note_is_signed_by_the_log_key(three_calls: None) -> None:
    found = sealed()
    ring = open_store(at=NOON).keyring()
    [key] = ring.of_use(Use.LOG).values()
    said = open_checkpoint(found.note, origin_of(ring.log, 1), key.public, "it")
    assert (said.size, said.root) == (found.size, found.root)


def test_the_next_checkpoint_is_the_first_one_grown_by_what_changed(three_calls: None) -> None:
    first = sealed()
    chain = next(iter(CALLS))
    note_in(chain)
    second = sealed(NOON + timedelta(minutes=1))
    assert second.size == first.size + 2  # the chain's new head, and the maps
    tree = Tree([leaf.leaf_hash for leaf in leaves_of(1)])
    proof = tree.consistency(first.size, second.size)
    check_consistency((first.size, first.root), (second.size, second.root), proof)


def test_nothing_new_is_no_checkpoint(three_calls: None) -> None:
    first = sealed()
    assert seal(NOON + timedelta(minutes=1)) is None
    assert last_seal() == first


def test_what_was_sealed_verifies(three_calls: None) -> None:
    sealed()
    note_in(next(iter(CALLS)))
    sealed(NOON + timedelta(minutes=1))
    assert verify_log(1, open_store(at=NOON).keyring()) == []


@pytest.mark.parametrize("table", ["leaf", "checkpoint"])
@pytest.mark.parametrize(
    "statement", ["update audit.{} set epoch = 2", "delete from audit.{}", "truncate audit.{}"]
)
def test_nobody_changes_what_was_sealed(three_calls: None, table: str, statement: str) -> None:
    sealed()
    with pytest.raises(Error), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement.format(table))


# --- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [6, -6, 3600, -3600])
def test_f11_clocks_that_disagree_stop_it(three_calls: None, seconds: int) -> None:
    with pytest.raises(UnableToSeal, match="s apart"):
        seal(skew=timedelta(seconds=seconds))
    assert seal(skew=timedelta(seconds=5 if seconds > 0 else -5)) is not None


def test_f11_a_clock_that_went_back_stops_it(three_calls: None) -> None:
    sealed()
    note_in(next(iter(CALLS)))
    with pytest.raises(UnableToSeal, match="in the future"):
        seal(NOON - timedelta(hours=1))


def test_f11_an_entry_of_the_future_stops_it(three_calls: None) -> None:
    note_in(next(iter(CALLS)), at=NOON + timedelta(minutes=10))
    with pytest.raises(UnableToSeal, match="dated 600 s in the future"):
        seal()
    assert seal(NOON + timedelta(minutes=10)) is not None


def test_f10_a_second_sealer_leaves_it_to_the_first(
    three_calls: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "_is_alone", lambda: False)
    assert seal() is None


def test_f12_an_older_database_is_found_out(three_calls: None) -> None:
    sealed()
    point = transaction.savepoint()
    note_in(next(iter(CALLS)))
    sealed(NOON + timedelta(minutes=1))
    transaction.savepoint_rollback(point)  # as a restore of last night's backup
    note_in(next(iter(CALLS)))
    with pytest.raises(UnableToSeal, match="LOG-E026"):
        seal(NOON + timedelta(minutes=2))


def test_f12_a_person_begins_a_new_log_after_a_restore(
    three_calls: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = sealed()
    point = transaction.savepoint()
    note_in(next(iter(CALLS)))
    lost = sealed(NOON + timedelta(minutes=1))
    transaction.savepoint_rollback(point)
    later = NOON + timedelta(minutes=2)
    monkeypatch.setattr(checkpoints, "_database_clock", lambda: later)
    begun = begin_new_log(reason_code="restore-7", place=place, at=later)
    assert begun.epoch == 2
    assert b"/log/2\n" in begun.note
    assert (first.size < lost.size, last_seal()) == (True, begun)
    note_in(next(iter(CALLS)), at=later)
    assert sealed(later + timedelta(minutes=1)).epoch == 2


@pytest.mark.parametrize(
    ("change", "left"),
    [("rewritten", b"y" * 32), ("cut", None)],
)
def test_f28_an_owner_who_changes_a_sealed_chain_is_found(
    three_calls: None, monkeypatch: pytest.MonkeyPatch, change: str, left: bytes | None
) -> None:
    """What such an owner leaves behind, as the query would read it: the table itself refuses."""
    sealed()
    chain = next(iter(CALLS))
    hashes = queries._hashes_of(1)
    del hashes[chain, 1]
    if left is not None:
        hashes[chain, 1] = left
    monkeypatch.setattr(queries, "_hashes_of", lambda _: hashes)
    [finding] = verify_log(1, open_store(at=NOON).keyring())
    assert (finding.code, finding.place) == ("LOG-E024", f"chain {chain}")


def test_the_command_verifies_checkpoints_too(three_calls: None) -> None:
    seal_heads(place=place, at=datetime.now(UTC))
    out = StringIO()
    call_command("verify_chains", stdout=out)
    assert "sealed, log 1, 0 fault(s)" in out.getvalue()


def test_f12_the_command_finds_a_rollback(three_calls: None) -> None:
    seal_heads(place=place, at=datetime.now(UTC))
    point = transaction.savepoint()
    note_in(next(iter(CALLS)))
    seal_heads(place=place, at=datetime.now(UTC))
    transaction.savepoint_rollback(point)
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("verify_chains", stdout=out)
    assert "LOG-E026" in out.getvalue()


def test_without_keys_nothing_is_sealed(three_calls: None, settings: Settings) -> None:
    settings.SIGNING_KEYS_AUTOCREATE = False
    with pytest.raises(SigningKeyError, match="signing_keys create"):
        seal()
    assert last_seal() is None


# --- the command of the keys ----------------------------------------------------------------------


def run_keys(*words: str) -> str:
    out = StringIO()
    call_command("signing_keys", *words, stdout=out)
    return out.getvalue()


def test_keys_are_created_rotated_revoked_and_each_time_recorded(tmp_path: Path) -> None:
    root = tmp_path / "root.pem"
    created = run_keys("create", "--root-key", str(root))
    assert run_keys("fingerprint").strip() in created
    before = open_store(at=NOON).keyring()
    [first] = before.of_use(Use.EXPORT)
    run_keys("rotate", "export", "--root-key", str(root))
    run_keys("revoke", first[:8], "--root-key", str(root))
    run_keys("witness", "ab" * 32, "--root-key", str(root))
    listed = run_keys("list")
    assert "epoch 4" in listed
    assert listed.count("counts no longer") == 1
    folder = tmp_path / "public"
    run_keys("export", str(folder))
    assert len(list(folder.glob("*.pem"))) == 5
    assert not any(b"PRIVATE" in path.read_bytes() for path in folder.iterdir())
    kinds = [read_body(entry.body)["type"] for entry in queries.entries_of(ORGANISATION_CHAIN)]
    assert kinds[-4:] == ["key.create", "key.rotate", "key.revoke", "key.witness"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["rotate", "root"], "export or log"),
        (["revoke", "zz"], "first eight or more digits"),
        (["witness", "ab"], "64 hexadecimal digits"),
    ],
)
def test_what_makes_no_sense_is_bad_usage(words: list[str], sentence: str) -> None:
    run_keys("create")
    with pytest.raises(CommandError, match=sentence):
        run_keys(*words)
