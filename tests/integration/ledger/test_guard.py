"""PostgreSQL itself refuses to change the log, whatever the application or its owner sends."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.db import Error, connection, transaction

from oipsce_site.ledger import selfcheck
from oipsce_site.ledger.core.entry import Entry, entry_hash, make_entry
from oipsce_site.ledger.selfcheck import check_triggers

Owner = psycopg.Connection[tuple[Any, ...]]

REFUSED_TO_THE_APPLICATION = {
    "update": "update audit.entry set at_us = 0",
    "update of no row": "update audit.entry set at_us = 0 where false",
    "delete": "delete from audit.entry",
    "truncate": "truncate audit.entry",
    "on conflict update": (
        "insert into audit.entry select * from audit.entry"
        " on conflict (chain_id, seq) do update set at_us = 0"
    ),
    "merge update": (
        "merge into audit.entry e using (select 1) one on true when matched"
        " then update set at_us = 0"
    ),
    "merge delete": (
        "merge into audit.entry e using (select 1) one on true when matched then delete"
    ),
    "disable all triggers": "alter table audit.entry disable trigger all",
    "disable one trigger": "alter table audit.entry disable trigger verify",
    "replica role": "set session_replication_role = replica",
    "drop table": "drop table audit.entry",
    "drop schema": "drop schema audit cascade",
    "drop trigger": "drop trigger verify on audit.entry",
    "add a trigger": (
        "create trigger aaa before insert on audit.entry"
        " for each row execute function suppress_redundant_updates_trigger()"
    ),
    "add a rule": "create rule mute as on insert to audit.entry do instead nothing",
    "replace a function": (
        "create or replace function audit.verify() returns trigger language plpgsql"
        " as 'begin return new; end'"
    ),
    "alter a function": "alter function audit.verify() reset all",
    "drop a function": "drop function audit.verify() cascade",
    "make a table beside it": "create table audit.other (n int)",
    "make a child table": "create table child () inherits (audit.entry)",
    "change the owner": "alter table audit.entry owner to oip_app",
    "drop a constraint": "alter table audit.entry drop constraint entry_pkey",
    "become the owner": "set role oip_owner",
    "become the owner's session": "set session authorization oip_owner",
    "become a superuser": "alter role oip_app superuser",
    "run a program": "copy audit.entry to program 'cat'",
    "lock everybody out": "lock table audit.entry in access exclusive mode",
}

REFUSED_TO_THE_OWNER = {
    name: REFUSED_TO_THE_APPLICATION[name]
    for name in ("update", "update of no row", "delete", "truncate", "merge update", "merge delete")
}


def sqlstate(error: BaseException) -> str | None:
    cause = error if isinstance(error, psycopg.Error) else error.__cause__
    return cause.sqlstate if isinstance(cause, psycopg.Error) else None


# decode() instead of binary parameters: one test shadows the name of their type.
INSERT = (
    "insert into audit.entry"
    " values (%s, %s, decode(%s, 'hex'), %s, decode(%s, 'hex'), decode(%s, 'hex'))"
)


def values_of(entry: Entry) -> list[Any]:
    return [
        *(entry.chain_id, entry.seq, entry.prev_hash.hex()),
        *(entry.at_us, entry.body.hex(), entry.entry_hash.hex()),
    ]


def insert(entry: Entry) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(INSERT, values_of(entry))


def rehashed(entry: Entry, **changes: Any) -> Entry:
    new = replace(entry, **changes)
    own = entry_hash(new.chain_id, new.seq, new.prev_hash, new.at_us, new.body)
    return replace(new, entry_hash=own)


def test_tests_run_as_the_application(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("select current_user, session_user")
        assert cursor.fetchone() == ("oip_app", "oip_app")


@pytest.mark.parametrize(
    "statement", REFUSED_TO_THE_APPLICATION.values(), ids=REFUSED_TO_THE_APPLICATION.keys()
)
def test_the_application_is_refused(head: Entry, statement: str) -> None:
    with pytest.raises(Error) as refusal, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert sqlstate(refusal.value) == "42501"


def test_a_grant_to_itself_changes_nothing(head: Entry) -> None:
    """PostgreSQL answers this one with a warning, so the privileges are read afterwards."""
    with connection.cursor() as cursor:
        cursor.execute("grant update, delete, truncate on audit.entry to oip_app")
    assert check_triggers() == []


@pytest.mark.parametrize(
    "statement", REFUSED_TO_THE_OWNER.values(), ids=REFUSED_TO_THE_OWNER.keys()
)
def test_the_owner_is_refused_by_the_triggers(owner: Owner, statement: str) -> None:
    with pytest.raises(psycopg.Error) as refusal:
        owner.execute(statement)
    assert refusal.value.sqlstate == "42501"
    assert "append-only" in str(refusal.value)


def next_of(head: Entry) -> Entry:
    return make_entry(chain_id=head.chain_id, head=head, at_us=head.at_us + 1, body=head.body)


BAD_ENTRIES = {
    "wrong hash": (lambda head: replace(next_of(head), entry_hash=bytes(32)), "23514"),
    "body changed": (lambda head: replace(next_of(head), body=b"{}"), "23514"),
    "time changed": (lambda head: replace(next_of(head), at_us=head.at_us + 2), "23514"),
    "gap": (lambda head: rehashed(next_of(head), seq=head.seq + 2), "40001"),
    "fork": (lambda head: rehashed(next_of(head), seq=head.seq), "40001"),
    "wrong previous hash": (lambda head: rehashed(next_of(head), prev_hash=bytes(32)), "40001"),
    "second genesis": (lambda head: rehashed(next_of(head), seq=0, prev_hash=bytes(32)), "40001"),
    "negative number": (lambda head: rehashed(next_of(head), seq=-1), "40001"),
    "chain that starts late": (
        lambda head: rehashed(next_of(head), chain_id=UUID(int=1), prev_hash=bytes(32)),
        "40001",
    ),
    "chain that starts from something": (
        lambda head: rehashed(next_of(head), chain_id=UUID(int=1), seq=0),
        "40001",
    ),
    "clock back": (lambda head: rehashed(next_of(head), at_us=head.at_us - 1), "22008"),
    "oversize body": (lambda head: rehashed(next_of(head), body=b"x" * 65_537), "23514"),
    "empty body": (lambda head: rehashed(next_of(head), body=b""), "23514"),
}


@pytest.mark.parametrize(("build", "state"), BAD_ENTRIES.values(), ids=BAD_ENTRIES.keys())
def test_a_bad_entry_is_refused(head: Entry, build: Any, state: str) -> None:
    with pytest.raises(Error) as refusal:
        insert(build(head))
    assert sqlstate(refusal.value) == state


def test_the_next_entry_is_taken(head: Entry) -> None:
    insert(next_of(head))


def test_one_statement_cannot_fork_a_chain(head: Entry) -> None:
    row = next_of(head)
    values: list[Any] = [
        *(row.chain_id, row.seq, row.prev_hash),
        *(row.at_us, row.body, row.entry_hash),
    ]
    with pytest.raises(Error) as refusal, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "insert into audit.entry values (%s,%s,%s,%s,%s,%s), (%s,%s,%s,%s,%s,%s)",
            [*values, *values],
        )
    assert sqlstate(refusal.value) == "40001"


def test_copy_passes_the_trigger_too(head: Entry) -> None:
    row = replace(next_of(head), entry_hash=bytes(32))
    with (
        pytest.raises(psycopg.Error) as refusal,
        transaction.atomic(),
        connection.cursor() as cursor,
        cursor.copy("copy audit.entry from stdin") as copy,
    ):
        copy.write_row([row.chain_id, row.seq, row.prev_hash, row.at_us, row.body, row.entry_hash])
    assert refusal.value.sqlstate == "23514"


def test_f14_rows_of_a_data_only_restore_are_checked_and_never_hashed_anew(owner: Owner) -> None:
    """As the owner, who restores: good rows come back as they were, an altered one stops all."""
    first = make_entry(chain_id=uuid4(), head=None, at_us=0, body=b"{}")
    second = next_of(first)
    copied = "select entry_hash from audit.entry where chain_id = %s order by seq"
    altered = replace(second, body=second.body + b" ")
    assert _restored(owner, [first, second], copied) == [first.entry_hash, second.entry_hash]
    with pytest.raises(psycopg.Error) as refusal:
        _restored(owner, [first, altered], copied)
    assert refusal.value.sqlstate == "23514"


def _restored(owner: Owner, rows: list[Entry], copied: str) -> list[bytes]:
    """Copy rows into the log, return the hashes that are there then, and take all back."""
    with owner.transaction(force_rollback=True), owner.cursor() as cursor:
        with cursor.copy("copy audit.entry from stdin") as copy:
            for one in rows:
                copy.write_row(
                    [one.chain_id, one.seq, one.prev_hash, one.at_us, one.body, one.entry_hash]
                )
        cursor.execute(copied.encode(), [rows[0].chain_id])
        return [bytes(own) for (own,) in cursor.fetchall()]


def test_a_temporary_type_does_not_change_what_the_trigger_computes(owner: Owner) -> None:
    """As the owner, because the application may make no temporary table in the first place."""
    owner.execute("create temp table bytea (n int); create temp table record (n int)")
    good = make_entry(chain_id=uuid4(), head=None, at_us=0, body=b"{}")
    owner.execute(INSERT, values_of(good))
    with pytest.raises(psycopg.Error) as refusal:
        owner.execute(INSERT, values_of(replace(next_of(good), entry_hash=bytes(32))))
    assert refusal.value.sqlstate == "23514"


def test_the_guard_stands(db: None) -> None:
    assert check_triggers() == []


FAULTS = {
    "trigger disabled": ("alter table audit.entry disable trigger verify", "verify of audit.entry"),
    "trigger for origin only": (
        "alter table audit.entry enable trigger no_change",
        "no_change of audit.entry is disabled or altered",
    ),
    "trigger dropped": ("drop trigger no_truncate on audit.entry", "no_truncate of audit.entry is"),
    "trigger with a condition": (
        "drop trigger verify on audit.entry; create trigger verify before insert on audit.entry"
        " for each row when (new.seq < 9) execute function audit.verify();"
        " alter table audit.entry enable always trigger verify",
        "verify of audit.entry is disabled or altered",
    ),
    "foreign trigger": (
        "create trigger aaa before insert on audit.entry"
        " for each row execute function suppress_redundant_updates_trigger()",
        "aaa of audit.entry is not ours",
    ),
    "function replaced": (
        "create or replace function audit.verify() returns trigger language plpgsql"
        " set search_path = pg_catalog, pg_temp as 'begin return new; end'",
        "audit.verify() is missing or was replaced",
    ),
    "search path freed": (
        "alter function audit.refuse() reset search_path",
        "audit.refuse() is missing or was replaced",
    ),
    "update granted": ("grant update on audit.entry to oip_app", "oip_app holds UPDATE"),
    "read by everybody": ("grant select on audit.entry to public", "public holds SELECT"),
    "insert revoked": ("revoke insert on audit.entry from oip_app", "oip_app lacks INSERT"),
    "commit not waited for": ("set synchronous_commit = off", "synchronous_commit is off"),
    "table dropped": ("drop table audit.entry", "audit.entry does not exist"),
}


@pytest.mark.parametrize(("statement", "sentence"), FAULTS.values(), ids=FAULTS.keys())
def test_each_fault_of_the_guard_is_seen(
    owner: Owner, monkeypatch: pytest.MonkeyPatch, statement: str, sentence: str
) -> None:
    """The check looks through the owner's uncommitted transaction, so nothing is left broken."""
    owner.execute(statement)
    monkeypatch.setattr(selfcheck, "connection", owner)
    own = "this process runs as oip_owner"
    [found] = [text for text in check_triggers() if not text.startswith(own)]
    assert sentence in found


def test_a_process_that_runs_as_the_owner_is_told(
    owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selfcheck, "connection", owner)
    [found] = check_triggers()
    assert "use oip_app" in found
