"""Append to two chains from four threads until the database is gone: python -m tests.faults.append.

Each entry is printed as its chain and number once its transaction was acknowledged.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID, uuid4

import django

django.setup()

from django.db import InterfaceError, OperationalError, transaction  # noqa: E402

from oipsce_site.ledger.actors import worker  # noqa: E402
from oipsce_site.ledger.core.entry import About  # noqa: E402
from oipsce_site.ledger.record import record  # noqa: E402
from tests.factories import NOON  # noqa: E402


def append_to(chain_id: UUID) -> None:
    """Append until it fails for want of a database."""
    try:
        while True:
            with transaction.atomic():
                entry = record(
                    chain_id=chain_id,
                    about=About.CALL,
                    kind="row.edit",
                    by=worker("fault"),
                    at=NOON,
                )
            sys.stdout.write(f"{chain_id} {entry.seq}\n")
            sys.stdout.flush()
    except (OperationalError, InterfaceError):
        return


if __name__ == "__main__":
    chains = [uuid4(), uuid4()] * 2
    with ThreadPoolExecutor(len(chains)) as pool:
        list(pool.map(append_to, chains))
