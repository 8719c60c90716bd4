"""Backup and restore: what comes back is what was there, guards and rights included, or nothing."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from django.db import connection
from psycopg import sql

from oipsce_site import environment
from oipsce_site.services import databases
from oipsce_site.services.layout import CHECKOUT
from review.management.base import Exit
from review.models import Call, Turn
from tests import servers
from tests.factories import case, catalog_source, make_person, make_site, prefilled, publish

pytestmark = pytest.mark.django_db(transaction=True)

_RIGHTS = (
    "select table_schema, table_name, grantee, privilege_type"
    " from information_schema.table_privileges"
    " where table_schema in ('public', 'audit') order by 1, 2, 3, 4"
)
_TABLES = (
    "select schemaname, tablename from pg_tables"
    " where schemaname in ('public', 'audit') order by 1, 2"
)


@pytest.fixture
def elsewhere() -> Iterator[str]:
    """Yield the name of an empty database with both roles' rights, as a new installation has."""
    profile, name = servers.profile(), f"copy_restored_{os.getpid()}"
    databases.drop_database(profile, name)
    databases.ensure_database(profile, name)
    yield name
    databases.drop_database(profile, name)


@pytest.fixture
def here(transactional_db: None) -> str:
    """Return the name of this test's database, with a call in it that was read and judged."""
    north = make_site("north")
    publish(catalog_source("micro"))
    prefilled(case(), north)
    make_person(site=north)
    return str(connection.settings_dict["NAME"])


def manage(
    database: str, *words: str, role: str = "owner", **changes: str
) -> subprocess.CompletedProcess[str]:
    """Run a management command on a database in a process of its own."""
    env = environment.inherited(
        DJANGO_SETTINGS_MODULE="oipsce_site.settings.test",
        OIPSCE_DB_ROLE=role,
        OIPSCE_DB_NAME=database,
        **changes,
    )
    program = [sys.executable, "manage.py", *words]
    return subprocess.run(
        program, cwd=CHECKOUT, env=env, capture_output=True, text=True, check=False
    )


def content(name: str) -> dict[str, object]:
    """Return a digest of every table of a database and who may do what with it."""
    with psycopg.connect(servers.owner_words(name)) as owner:
        found: dict[str, object] = {"rights": owner.execute(_RIGHTS).fetchall()}
        for schema, table in owner.execute(_TABLES).fetchall():
            query = sql.SQL("select md5(string_agg(t::text, '|' order by t::text)) from {} t")
            found[table] = owner.execute(query.format(sql.Identifier(schema, table))).fetchone()
        return found


@pytest.fixture
def backup(here: str, tmp_path: Path) -> Path:
    path = tmp_path / "night.dump"
    done = manage(here, "backup_database", str(path))
    assert done.returncode == Exit.GOOD, done.stderr
    return path


def test_f13_a_restored_database_is_the_one_that_was_saved(
    here: str, backup: Path, elsewhere: str
) -> None:
    before = content(here)
    done = manage(elsewhere, "restore_database", str(backup))
    assert (done.returncode, done.stderr) == (Exit.GOOD, "")
    assert "guards, chains and keys are sound" in done.stdout
    assert content(elsewhere) == before
    assert content(here) == before
    # As the site itself finds it: role, triggers, grants, every chain.
    checked = manage(elsewhere, "verify_chains", role="app")
    assert checked.returncode == 0, checked.stdout
    assert "0 broken chain(s), 0 fault(s) of the guard" in checked.stdout


def test_the_file_is_its_owners_alone_and_never_overwritten(here: str, backup: Path) -> None:
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    before = backup.read_bytes()
    again = manage(here, "backup_database", str(backup))
    assert again.returncode == Exit.USAGE
    assert "exists; name a new file" in again.stderr
    assert backup.read_bytes() == before
    assert [one.name for one in backup.parent.iterdir()] == [backup.name]


def test_it_says_that_the_key_file_is_not_in_it(here: str, tmp_path: Path) -> None:
    done = manage(here, "backup_database", str(tmp_path / "b.dump"))
    assert "sealing.json is not in it" in done.stdout
    assert "Keep a copy of it, apart from the backups" in done.stdout


def test_a_database_that_holds_something_is_left_alone(here: str, backup: Path) -> None:
    make_site("south")
    before = content(here)
    done = manage(here, "restore_database", str(backup))
    assert done.returncode == Exit.USAGE
    assert "is not empty" in done.stderr
    assert content(here) == before


def test_replacing_brings_back_the_night_before(here: str, backup: Path) -> None:
    before = content(here)
    make_site("south")
    assert content(here) != before
    connection.close()
    done = manage(here, "restore_database", str(backup), "--replace")
    assert (done.returncode, done.stderr) == (Exit.GOOD, "")
    assert content(here) == before


def test_a_damaged_backup_changes_nothing(here: str, backup: Path) -> None:
    before = content(here)
    data = backup.read_bytes()
    connection.close()
    for damaged in (data[: len(data) * 2 // 3], b"PGDMP", b"no backup at all"):
        backup.write_bytes(damaged)
        done = manage(here, "restore_database", str(backup), "--replace")
        assert done.returncode == Exit.USAGE
        assert "nothing was restored, nothing was changed" in done.stderr
        assert content(here) == before


def test_a_trigger_that_was_off_when_it_was_saved_is_named(
    here: str, tmp_path: Path, elsewhere: str
) -> None:
    connection.close()
    path = tmp_path / "off.dump"
    switch = "alter table audit.entry {} trigger no_change"
    with psycopg.connect(servers.owner_words(here), autocommit=True) as owner:
        owner.execute(switch.format("disable").encode())
        try:
            manage(here, "backup_database", str(path))
        finally:
            owner.execute(switch.format("enable always").encode())
    done = manage(elsewhere, "restore_database", str(path))
    assert done.returncode == Exit.BAD
    assert "fault: trigger no_change of audit.entry is disabled" in done.stdout


def test_only_the_owner_saves_and_restores(here: str, tmp_path: Path, elsewhere: str) -> None:
    path = tmp_path / "b.dump"
    for database, words in ((here, ["backup_database"]), (elsewhere, ["restore_database"])):
        done = manage(database, *words, str(path), role="app")
        assert done.returncode == Exit.USAGE
        assert "Set OIPSCE_DB_ROLE=owner" in done.stderr
    assert not path.exists()


def test_a_dump_of_something_else_is_refused(tmp_path: Path, elsewhere: str) -> None:
    other = tmp_path / "other.dump"
    assert manage(elsewhere, "backup_database", str(other)).returncode == Exit.GOOD
    done = manage(elsewhere, "restore_database", str(other))
    assert done.returncode == Exit.USAGE
    assert "it holds no decision log" in done.stderr


def test_a_key_file_that_does_not_fit_is_named(
    backup: Path, elsewhere: str, tmp_path: Path
) -> None:
    settings = tmp_path / f"keys_{uuid4().hex[:8]}.py"
    settings.write_text(
        "from oipsce_site.settings.test import *\n"
        f"SEALING_KEY_FILE = {str(tmp_path / 'other-keys.json')!r}\n"
    )
    done = manage(
        elsewhere,
        *("restore_database", str(backup), f"--settings={settings.stem}"),
        PYTHONPATH=str(tmp_path),
    )
    assert done.returncode == Exit.BAD
    assert "does not open 1 of 1 calls" in done.stdout


def test_f27_what_was_erased_since_is_erased_again_before_anybody_opens_it(
    here: str, backup: Path, tmp_path: Path
) -> None:
    """The list of erased calls lies outside of the database, and so of its backup."""
    call_id = Call.objects.get().pk
    listed = tmp_path / "erased-calls.txt"
    listed.write_text(f"{call_id}\n")
    connection.close()
    words = ("restore_database", str(backup), "--replace")
    done = manage(here, *words, ERASURE_LIST_FILE=str(listed))
    assert (done.returncode, done.stderr) == (Exit.GOOD, "")
    assert "1 call was erased again" in done.stdout
    stored = Call.objects.get(pk=call_id)
    assert (stored.erased_at is not None, bytes(stored.wrapped_key)) == (True, b"")
    assert not Turn.objects.filter(call=call_id).exists()
    connection.close()
    listed.write_text("no id\n")
    done = manage(here, *words, ERASURE_LIST_FILE=str(listed))
    assert done.returncode == Exit.BAD
    assert "were not erased again (ValueError)" in done.stdout
