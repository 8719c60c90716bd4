"""The one table of the decision log, as the ORM sees it (private to this package: contract 6).

The table is made by SQL in migration 0001 and never by the ORM. Rows are inserted by `record()` and
by nothing else; triggers and missing privileges refuse every change of a row.
"""

from __future__ import annotations

from django.db import models

from oipsce_site.ledger.core.entry import Entry


class StoredEntry(models.Model):
    """One row of `audit.entry`."""

    pk = models.CompositePrimaryKey("chain_id", "seq")
    chain_id = models.UUIDField()
    seq = models.BigIntegerField()
    prev_hash = models.BinaryField(max_length=32)
    at_us = models.BigIntegerField()
    body = models.BinaryField(max_length=65_536)
    entry_hash = models.BinaryField(max_length=32, unique=True)

    class Meta:
        managed = False
        # Quoted whole, because Django would otherwise quote "audit.entry" as one name.
        db_table = '"audit"."entry"'

    def __str__(self) -> str:
        return f"{self.chain_id} entry {self.seq}"

    def as_entry(self) -> Entry:
        """Return the row as the value that the core computes with."""
        return Entry(
            self.chain_id,
            self.seq,
            bytes(self.prev_hash),
            self.at_us,
            bytes(self.body),
            bytes(self.entry_hash),
        )
