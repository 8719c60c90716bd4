"""The tables of the decision log, as the ORM sees them (private to this package: contract 6).

They are made by SQL in migrations and never by the ORM. Entries are inserted by `record()`, leaves
and checkpoints by `seal_heads()`, and by nothing else; triggers and missing privileges refuse every
change of a row.
"""

from __future__ import annotations

from django.db import models

from oipsce_site.ledger.core.entry import Entry
from oipsce_site.ledger.core.heads import Head
from oipsce_site.ledger.core.sealed import Leaf, Seal


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


class StoredLeaf(models.Model):
    """One row of `audit.leaf`: a sealed head, or (without a chain) the maps of a checkpoint."""

    pk = models.CompositePrimaryKey("epoch", "position")
    epoch = models.IntegerField()
    position = models.BigIntegerField()
    chain_id = models.UUIDField(null=True)
    site_id = models.UUIDField(null=True)
    seq = models.BigIntegerField(null=True)
    entry_hash = models.BinaryField(max_length=32, null=True)
    leaf_hash = models.BinaryField(max_length=32)

    class Meta:
        managed = False
        db_table = '"audit"."leaf"'

    def __str__(self) -> str:
        return f"leaf {self.position} of log {self.epoch}"

    def as_leaf(self) -> Leaf:
        """Return the row as the value that the core computes with."""
        head = None
        if self.chain_id is not None and self.seq is not None and self.entry_hash is not None:
            head = Head(self.chain_id, self.seq, bytes(self.entry_hash))
        return Leaf(self.position, head, self.site_id, bytes(self.leaf_hash))


class StoredCheckpoint(models.Model):
    """One row of `audit.checkpoint`. `frontier` lets the tree grow without its leaves."""

    pk = models.CompositePrimaryKey("epoch", "size")
    epoch = models.IntegerField()
    size = models.BigIntegerField()
    root = models.BinaryField(max_length=32)
    frontier = models.BinaryField()
    sealed_at_us = models.BigIntegerField()
    note = models.BinaryField(max_length=4096)

    class Meta:
        managed = False
        db_table = '"audit"."checkpoint"'

    def __str__(self) -> str:
        return f"checkpoint {self.size} of log {self.epoch}"

    def as_seal(self) -> Seal:
        """Return the row as the value that the core computes with."""
        frontier = bytes(self.frontier)
        return Seal(
            epoch=self.epoch,
            size=self.size,
            root=bytes(self.root),
            frontier=tuple(frontier[at : at + 32] for at in range(0, len(frontier), 32)),
            sealed_at_us=self.sealed_at_us,
            note=bytes(self.note),
        )
