"""Check that the database still guards the decision log: for /readyz and after every restore.

A dump keeps a disabled trigger disabled and an owner can replace a function, so the exact set of
triggers, their functions' source, the owner and the privileges are compared with what migrations
made.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, Final

from django.db import connection

OWNER: Final = "oip_owner"
APPLICATION: Final = "oip_app"

# Trigger: its function and pg_trigger.tgtype (1 row, 2 before, 4 insert, 8 delete, 16 update,
# 32 truncate).
_APPENDED: Final = {"no_change": ("refuse", 2 + 8 + 16), "no_truncate": ("refuse", 2 + 32)}
TRIGGERS: Final[dict[str, dict[str, tuple[str, int]]]] = {
    "audit.entry": {**_APPENDED, "verify": ("verify", 1 + 2 + 4)},
    "audit.leaf": _APPENDED,
    "audit.checkpoint": _APPENDED,
}
# SHA-256 of pg_proc.prosrc; a test compares them with a freshly migrated database.
FUNCTIONS: Final = {
    "refuse": "d5f7a14851874354a0dc9bb5b0fc610f99e9678ebe906daadb6b05ad57b0a78d",
    "verify": "bb2a8a28877b132a29a781e6e7a6808410a26e6cc5fa8e026a54897f1337eab5",
}
SEARCH_PATH: Final = "search_path=pg_catalog, pg_temp"


def check_triggers() -> list[str]:
    """Return one sentence per fault of the guard; an empty list means that it stands.

    Raises django.db.DatabaseError when the database does not answer.
    """
    return [*check_table(), *_check_session()]


def check_table() -> list[str]:
    """Return the faults of the tables alone, whoever asks: the owner checks so what it restored."""
    missing = [
        f"{table} does not exist; run the migrations as oip_owner"
        for table in TRIGGERS
        if not _rows("select where to_regclass(%s) is not null", table)
    ]
    if missing:
        return missing
    return [
        *(fault for table in TRIGGERS for fault in _check_trigger_set(table)),
        *_check_functions(),
        *_check_owners(),
        *(fault for table in TRIGGERS for fault in _check_grants(table)),
    ]


def _rows(sql: str, *words: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, words or None)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def _check_trigger_set(table: str) -> Iterator[str]:
    expected = TRIGGERS[table]
    found = {
        name: (function, kind, enabled, unconditional)
        for name, function, kind, enabled, unconditional in _rows(
            "select t.tgname, p.proname, t.tgtype, t.tgenabled::text, t.tgqual is null"
            " from pg_trigger t join pg_proc p on p.oid = t.tgfoid"
            " where t.tgrelid = %s::regclass and not t.tgisinternal",
            table,
        )
    }
    for name in sorted(set(found) | set(expected)):
        if name not in found:
            yield f"trigger {name} of {table} is missing"
        elif name not in expected:
            yield f"trigger {name} of {table} is not ours; somebody added it"
        elif found[name] != (*expected[name], "A", True):
            yield f"trigger {name} of {table} is disabled or altered; it must fire always"


def _check_functions() -> Iterator[str]:
    found = {
        name: (hashlib.sha256(str(source).encode()).hexdigest(), settings)
        for name, source, settings in _rows(
            "select proname, prosrc, proconfig from pg_proc"
            " where pronamespace = 'audit'::regnamespace"
        )
    }
    for name, digest in FUNCTIONS.items():
        if found.get(name) != (digest, [SEARCH_PATH]):
            yield f"function audit.{name}() is missing or was replaced"


def _check_owners() -> Iterator[str]:
    for thing, owner in _rows(
        "select 'schema audit', nspowner::regrole::text from pg_namespace where nspname = 'audit'"
        " union all select 'table audit.' || relname, relowner::regrole::text from pg_class"
        "  where relnamespace = 'audit'::regnamespace and relkind in ('r', 'p')"
        " union all select 'function audit.' || proname, proowner::regrole::text from pg_proc"
        "  where pronamespace = 'audit'::regnamespace"
    ):
        if owner != OWNER:
            yield f"{thing} belongs to {owner}, not to {OWNER}"


def _check_grants(table: str) -> Iterator[str]:
    expected = {(OWNER, None), (APPLICATION, "INSERT"), (APPLICATION, "SELECT")}
    found = {
        (grantee, None if grantee == OWNER else privilege)
        for grantee, privilege in _rows(
            "select case a.grantee when 0 then 'public' else a.grantee::regrole::text end,"
            " a.privilege_type from pg_class c, aclexplode(c.relacl) a"
            " where c.oid = %s::regclass",
            table,
        )
    }
    for grantee, privilege in sorted(found - expected, key=str):
        yield f"{grantee} holds {privilege} on {table} and must not"
    for grantee, privilege in sorted(expected - found, key=str):
        yield f"{grantee} lacks {privilege or 'its own rights'} on {table}"


def _check_session() -> Iterator[str]:
    [(user, is_super, is_owner, commit)] = _rows(
        "select current_user::text, rolsuper, pg_has_role(current_user, 'oip_owner', 'member'),"
        " current_setting('synchronous_commit') from pg_roles where rolname = current_user"
    )
    if is_super or is_owner:
        yield f"this process runs as {user}, which could disable the triggers; use {APPLICATION}"
    if commit in ("off", "local"):
        yield f"synchronous_commit is {commit} for {user}; an acknowledged entry could be lost"
