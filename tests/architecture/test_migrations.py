"""F15 and F16 of the fault table: a migration is whole or nothing, and the log's only add."""

from __future__ import annotations

import re

import pytest

from oipsce_site.services.layout import CHECKOUT

MIGRATIONS = sorted(
    path
    for folder in ("oipsce_site", "catalogs", "review")
    for path in (CHECKOUT / folder).rglob("migrations/[0-9]*.py")
)
#: What takes away from the log's tables, opens them, or stops their guards.
_TAKES_AWAY = re.compile(
    r"\bdrop\s+(?:trigger|table|function|schema|constraint|view)\b[^;]*\baudit\."
    r"|\b(?:truncate|delete\s+from|update)\s+(?:table\s+|only\s+)?audit\."
    r"|\balter\s+table\s+audit\.\S+\s+(?:drop|disable|rename|alter)\b"
    r"|\bgrant\s+[^;]*\b(?:update|delete|truncate|all)\b[^;]*\bon\s+audit\.",
    re.IGNORECASE,
)


def test_there_are_migrations() -> None:
    assert len(MIGRATIONS) >= 30


def test_f15_every_migration_is_one_transaction() -> None:
    """What fails half-way leaves nothing: PostgreSQL takes back tables as it does rows."""
    loose = re.compile(r"\batomic\s*=\s*False\b|\bCONCURRENTLY\b|\bAddIndexConcurrently\b")
    assert [path.name for path in MIGRATIONS if loose.search(path.read_text())] == []


def test_f16_no_migration_takes_anything_from_the_decision_log() -> None:
    found = {
        path.name: hit.group()
        for path in MIGRATIONS
        if (hit := _TAKES_AWAY.search(path.read_text()))
    }
    assert found == {}


@pytest.mark.parametrize(
    "statement",
    [
        "drop trigger no_change on audit.entry",
        "alter table audit.entry disable trigger verify",
        "alter table audit.entry drop column body",
        "alter table audit.leaf alter column hash type text",
        "update audit.entry set body = ''",
        "delete from audit.entry",
        "truncate audit.entry",
        "grant select, update on audit.entry to oip_app",
    ],
)
def test_f16_what_takes_away_is_seen(statement: str) -> None:
    assert _TAKES_AWAY.search(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "create index x on audit.entry (at_us)",
        "alter table audit.entry enable always trigger verify",
        "grant select, insert on audit.entry to oip_app",
    ],
)
def test_f16_what_adds_is_not(statement: str) -> None:
    assert _TAKES_AWAY.search(statement) is None
