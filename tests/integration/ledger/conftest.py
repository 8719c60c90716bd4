"""Connections and chains for the tests of the decision log."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.db import connection, transaction

from oipsce_site.ledger.core.entry import About, Actor, ActorKind, Entry
from oipsce_site.ledger.record import record
from tests import servers

ANNA = Actor("u-1", "reviewer", ActorKind.PERSON)
NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


@pytest.fixture
def chain_id() -> UUID:
    """Return the id of a call that no other test knows: entries of committed tests stay."""
    return uuid4()


@pytest.fixture
def head(db: None, chain_id: UUID) -> Entry:
    """Return the head of a chain of two entries: genesis and one edit."""
    with transaction.atomic():
        return record(
            chain_id=chain_id,
            about=About.CALL,
            kind="row.edit",
            by=ANNA,
            at=NOON,
            facts={"turn": 4},
        )


@pytest.fixture
def owner(db: None) -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
    """Yield a connection as oip_owner to the same database; what it did is rolled back."""
    owner = psycopg.connect(servers.owner_words(connection.settings_dict["NAME"]))
    # A test that holds the table in its own transaction must not stop the owner for ever.
    owner.execute("set lock_timeout = '2s'")
    yield owner
    owner.rollback()
    owner.close()
