"""Add the tree of sealed heads and its signed checkpoints: appended, never changed, never removed.

Run by role oip_owner, as 0001. A `leaf` is the head of one chain, or (chain null) the maps that end
a checkpoint; `epoch` counts logs: a new one is begun after a restore, because what was sealed and
published cannot be taken back.
"""

from __future__ import annotations

from typing import ClassVar

import django.db.models.fields.composite
from django.db import migrations, models

TABLES = """
create table audit.leaf (
  epoch      integer not null check (epoch >= 1),
  position   bigint  not null check (position >= 0),
  chain_id   uuid,
  site_id    uuid,
  seq        bigint,
  entry_hash bytea   check (octet_length(entry_hash) = 32),
  leaf_hash  bytea   not null check (octet_length(leaf_hash) = 32),
  primary key (epoch, position),
  check (num_nulls(chain_id, site_id, seq, entry_hash) in (0, 4))
);
create index leaf_of_chain on audit.leaf (epoch, chain_id, position);
comment on table audit.leaf is 'Merkle tree of sealed chain heads, append-only';

create table audit.checkpoint (
  epoch        integer not null check (epoch >= 1),
  size         bigint  not null check (size >= 1),
  root         bytea   not null check (octet_length(root) = 32),
  frontier     bytea   not null check (octet_length(frontier) % 32 = 0),
  sealed_at_us bigint  not null,
  note         bytea   not null check (octet_length(note) between 2 and 4096),
  primary key (epoch, size)
);
comment on table audit.checkpoint is 'Signed checkpoints of the tree, append-only';
"""

GUARDS = "".join(
    f"""
create trigger no_change before update or delete on audit.{table}
  for each statement execute function audit.refuse();
create trigger no_truncate before truncate on audit.{table}
  for each statement execute function audit.refuse();
alter table audit.{table} enable always trigger no_change;
alter table audit.{table} enable always trigger no_truncate;
revoke all on audit.{table} from public, oip_app;
grant select, insert on audit.{table} to oip_app;
"""
    for table in ("leaf", "checkpoint")
)


def _key(second: str) -> django.db.models.fields.composite.CompositePrimaryKey:
    return django.db.models.fields.composite.CompositePrimaryKey(
        "epoch", second, blank=True, editable=False, primary_key=True, serialize=False
    )


class Migration(migrations.Migration):
    """Tables, triggers and grants; then the unmanaged models that read them."""

    dependencies: ClassVar[list[tuple[str, str]]] = [("ledger", "0001_entry")]
    operations: ClassVar[list[migrations.operations.base.Operation]] = [
        migrations.RunSQL(TABLES),
        migrations.RunSQL(GUARDS),
        migrations.CreateModel(
            name="StoredLeaf",
            fields=[
                ("pk", _key("position")),
                ("epoch", models.IntegerField()),
                ("position", models.BigIntegerField()),
                ("chain_id", models.UUIDField(null=True)),
                ("site_id", models.UUIDField(null=True)),
                ("seq", models.BigIntegerField(null=True)),
                ("entry_hash", models.BinaryField(max_length=32, null=True)),
                ("leaf_hash", models.BinaryField(max_length=32)),
            ],
            options={"db_table": '"audit"."leaf"', "managed": False},
        ),
        migrations.CreateModel(
            name="StoredCheckpoint",
            fields=[
                ("pk", _key("size")),
                ("epoch", models.IntegerField()),
                ("size", models.BigIntegerField()),
                ("root", models.BinaryField(max_length=32)),
                ("frontier", models.BinaryField()),
                ("sealed_at_us", models.BigIntegerField()),
                ("note", models.BinaryField(max_length=4096)),
            ],
            options={"db_table": '"audit"."checkpoint"', "managed": False},
        ),
    ]
