"""The sealer as workers run it: rung for by the sweep, every chain in its place, never silent."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from io import StringIO
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import connection
from pytest_django import Settings

from oipsce_site.ledger import checkpoints
from oipsce_site.ledger.core.sealed import maps_of
from oipsce_site.ledger.queries import chain_ids, last_seal, leaves_of
from oipsce_site.ledger.record import ORGANISATION_CHAIN
from review.queries.chains import sites_of_chains
from review.tasks import seal_log, sweep
from tests.factories import case, catalog_source, make_site, prefilled, publish

Committing = Callable[..., AbstractContextManager[object]]
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def keys(settings: Settings, tmp_path: Path) -> None:
    settings.SIGNING_KEY_DIR = str(tmp_path / "signing")
    settings.SIGNING_KEYS_AUTOCREATE = True


def test_every_chain_is_sealed_under_its_site() -> None:
    publish(catalog_source("micro"))
    call_id = prefilled(case())
    assert seal_log() is not None
    seal = last_seal()
    assert seal is not None
    maps = maps_of(leaves_of(seal.epoch, seal.size))
    found = {head.chain_id: site for site, heads in maps.items() for head in heads}
    assert set(found) == set(chain_ids())
    site = make_site().pk
    assert found[call_id] == site
    others = set(chain_ids()) - {call_id, site}
    assert {found[chain] for chain in others if chain in found} <= {ORGANISATION_CHAIN, *found}


def test_a_chain_of_nothing_we_know_belongs_to_the_organisation() -> None:
    site = make_site().pk
    assert sites_of_chains([uuid4()]) == {site: site}


@pytest.mark.parametrize(("has_folder", "rung"), [(True, True), (False, False)])
def test_the_sweep_rings_for_the_sealer_where_there_are_keys(
    settings: Settings,
    bells: list[str],
    django_capture_on_commit_callbacks: Committing,
    has_folder: bool,
    rung: bool,
) -> None:
    if not has_folder:
        settings.SIGNING_KEY_DIR = ""
    with django_capture_on_commit_callbacks(execute=True):
        sweep()
    assert ("review.seal_log" in bells) is rung


def test_the_sweep_does_not_ring_again_within_a_minute(
    bells: list[str], django_capture_on_commit_callbacks: Committing
) -> None:
    publish(catalog_source("micro"))
    assert seal_log() is not None
    with django_capture_on_commit_callbacks(execute=True):
        sweep()
    assert "review.seal_log" not in bells


def test_a_refusal_is_an_error_line(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    settings.SIGNING_KEYS_AUTOCREATE = False
    assert seal_log() is None
    assert "was not sealed" in caplog.text
    assert "signing_keys create" in caplog.text


def test_f9_a_database_that_cannot_write_pauses_the_sealer_and_is_an_error_line(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(catalog_source("micro"))

    def full(*_: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute("do $$ begin raise exception 'x' using errcode = '53100'; end $$")

    with monkeypatch.context() as broken:
        broken.setattr(checkpoints, "_read_heads", full)
        assert seal_log() is None
    assert "was not sealed: the database failed, DiskFull" in caplog.text
    assert last_seal() is None
    assert seal_log() is not None


def test_the_command_seals_and_exports_for_a_witness() -> None:
    publish(catalog_source("micro"))
    out = StringIO()
    call_command("seal_log", stdout=out)
    assert out.getvalue().startswith("oip-sce.local/log/1\n")
    first = last_seal()
    assert first is not None
    prefilled(case())
    seal_log()
    written = StringIO()
    call_command("export_checkpoint", "--since", str(first.size), stdout=written)
    offered = json.loads(written.getvalue())
    seal = last_seal()
    assert seal is not None
    assert (offered["note"].encode(), offered["since"]) == (seal.note, first.size)
    assert offered["proof"]


def test_a_new_log_is_begun_by_command_and_told_in_the_organisations_chain() -> None:
    publish(catalog_source("micro"))
    seal_log()
    out = StringIO()
    call_command("seal_log", "--begin-new-log", "ticket-7", stdout=out)
    assert "/log/2\n" in out.getvalue()
    call_command("verify_chains", stdout=out)
    assert "log 2, 0 fault(s)" in out.getvalue()
