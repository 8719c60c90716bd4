"""Make schema `audit` and its table `entry`: rows are appended, never changed, never removed.

Run by role oip_owner, which owns the schema and which nobody but a migration uses. The application's
role oip_app may read and append. There is no way back: a decision log is not unmade by a command.
"""

from __future__ import annotations

from typing import ClassVar

import django.db.models.fields.composite
from django.db import migrations, models

ROLES_MUST_STAND = """
do $$
begin
  if current_user <> 'oip_owner' then
    raise exception 'ledger.0001: migrations run as %, not as oip_owner, so the log would have the '
      'wrong owner; migrate with the owner''s connection', current_user;
  end if;
  if not exists (select from pg_catalog.pg_roles where rolname = 'oip_app') then
    raise exception 'ledger.0001: role oip_app does not exist, so nobody could append to the log; '
      'create it (the embedded services do, see docs for a server of your own) and migrate again';
  end if;
  if exists (select from pg_catalog.pg_roles where rolname = 'oip_app' and rolsuper)
     or pg_catalog.pg_has_role('oip_app', 'oip_owner', 'member') then
    raise exception 'ledger.0001: role oip_app is a superuser or a member of oip_owner and could '
      'disable the triggers of the log; take that away and migrate again';
  end if;
end $$;
"""

TABLE = """
create schema audit;
revoke all on schema audit from public;

create table audit.entry (
  chain_id   uuid   not null,
  seq        bigint not null check (seq >= 0),
  prev_hash  bytea  not null check (octet_length(prev_hash) = 32),
  at_us      bigint not null,
  body       bytea  not null check (octet_length(body) between 2 and 65536),
  entry_hash bytea  not null unique,
  primary key (chain_id, seq)
);
comment on table audit.entry is 'Decision log: hash chains, append-only, written by record() alone';
"""

# pg_temp comes last by name: unnamed it would come first, and a temporary table called "bytea" or
# "record" would change what these functions compute.
FUNCTIONS = """
create function audit.refuse() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception 'audit.% is append-only (% refused)', tg_table_name, tg_op using errcode = '42501';
end $$;

create function audit.verify() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  head record;
  computed bytea;
begin
  -- One writer per chain at a time; the next statement sees what the one before committed.
  perform pg_advisory_xact_lock(hashtextextended(new.chain_id::text, 7));
  select seq, entry_hash, at_us into head
    from audit.entry where chain_id = new.chain_id order by seq desc limit 1;
  if not found then
    if new.seq <> 0 or new.prev_hash <> decode(repeat('00', 32), 'hex') then
      raise exception 'audit.entry: a chain starts at seq 0 with a previous hash of zeros'
        using errcode = '40001';
    end if;
  else
    if new.seq <> head.seq + 1 or new.prev_hash <> head.entry_hash then
      raise exception 'audit.entry: stale head, seq % expected', head.seq + 1
        using errcode = '40001';
    end if;
    if new.at_us < head.at_us then
      raise exception 'audit.entry: time goes backwards' using errcode = '22008';
    end if;
  end if;
  computed := sha256(
    convert_to('oip-sce/entry/v1', 'UTF8') || '\\x00'::bytea
    || uuid_send(new.chain_id) || int8send(new.seq) || new.prev_hash || int8send(new.at_us)
    || sha256(new.body));
  if computed <> new.entry_hash then
    raise exception 'audit.entry: the hash is not the hash of the entry' using errcode = '23514';
  end if;
  return new;
end $$;

revoke all on function audit.refuse(), audit.verify() from public;
"""

# ENABLE ALWAYS: they fire for a session that plays a replica as well.
TRIGGERS = """
create trigger no_change before update or delete on audit.entry
  for each statement execute function audit.refuse();
create trigger no_truncate before truncate on audit.entry
  for each statement execute function audit.refuse();
create trigger verify before insert on audit.entry
  for each row execute function audit.verify();
alter table audit.entry enable always trigger no_change;
alter table audit.entry enable always trigger no_truncate;
alter table audit.entry enable always trigger verify;
"""

# Revoked first: default privileges of the database may have given the application more.
GRANTS = """
revoke all on schema audit from oip_app;
revoke all on audit.entry from public, oip_app;
grant usage on schema audit to oip_app;
grant select, insert on audit.entry to oip_app;
"""


class Migration(migrations.Migration):
    """Schema, table, functions, triggers, grants; then the unmanaged model that reads them."""

    initial = True
    dependencies: ClassVar[list[tuple[str, str]]] = []
    operations: ClassVar[list[migrations.operations.base.Operation]] = [
        migrations.RunSQL(ROLES_MUST_STAND),
        migrations.RunSQL(TABLE),
        migrations.RunSQL(FUNCTIONS),
        migrations.RunSQL(TRIGGERS),
        migrations.RunSQL(GRANTS),
        migrations.CreateModel(
            name="StoredEntry",
            fields=[
                (
                    "pk",
                    django.db.models.fields.composite.CompositePrimaryKey(
                        "chain_id",
                        "seq",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("chain_id", models.UUIDField()),
                ("seq", models.BigIntegerField()),
                ("prev_hash", models.BinaryField(max_length=32)),
                ("at_us", models.BigIntegerField()),
                ("body", models.BinaryField(max_length=65536)),
                ("entry_hash", models.BinaryField(max_length=32, unique=True)),
            ],
            options={"db_table": '"audit"."entry"', "managed": False},
        ),
    ]
