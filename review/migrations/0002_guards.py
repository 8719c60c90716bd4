"""Guards: proposals, evaluations, evidence commitments, turns and events are only ever added.

A pre-fill run moves on by update, but what it is about, and a finished run, do not change.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations

INSERT_ONLY = (
    "review_event",
    "review_evaluation",
    "review_evidencecommitment",
    "review_proposedrow",
    "review_turn",
)

FUNCTIONS = """
create function review_refuse_change() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  raise exception '% is append-only (% refused)', tg_table_name, tg_op using errcode = '42501';
end $$;

create function review_guard_run() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a pre-fill run is never deleted' using errcode = '42501';
  end if;
  if old.state = 'DONE' then
    raise exception 'a finished pre-fill run does not change' using errcode = '42501';
  end if;
  if (new.id, new.call_id, new.transcript_digest, new.catalog_digest, new.engine, new.queued_at)
     is distinct from
     (old.id, old.call_id, old.transcript_digest, old.catalog_digest, old.engine, old.queued_at)
     or new.attempts < old.attempts then
    raise exception 'what a pre-fill run is about does not change' using errcode = '42501';
  end if;
  return new;
end $$;

create function review_guard_call() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a call is never deleted; erase its key to erase its words'
      using errcode = '42501';
  end if;
  if (new.id, new.site_id, new.source, new.external_id, new.source_sha256, new.received_at)
     is distinct from
     (old.id, old.site_id, old.source, old.external_id, old.source_sha256, old.received_at) then
    raise exception 'where a call came from does not change' using errcode = '42501';
  end if;
  return new;
end $$;
"""

TRIGGERS = """
create trigger guard_run before update or delete on review_prefillrun
  for each row execute function review_guard_run();
alter table review_prefillrun enable always trigger guard_run;
create trigger guard_call before update or delete on review_call
  for each row execute function review_guard_call();
alter table review_call enable always trigger guard_call;
""" + "".join(
    f"""
create trigger refuse_change before update or delete on {table}
  for each row execute function review_refuse_change();
alter table {table} enable always trigger refuse_change;
"""
    for table in INSERT_ONLY
)

REVERSE = (
    "drop trigger guard_run on review_prefillrun; drop trigger guard_call on review_call;"
    + "".join(f"drop trigger refuse_change on {table};" for table in INSERT_ONLY)
    + "drop function review_guard_run(); drop function review_guard_call();"
    "drop function review_refuse_change();"
)


class Migration(migrations.Migration):
    """Functions, then triggers that fire in replica sessions as well."""

    dependencies: ClassVar[list[tuple[str, str]]] = [("review", "0001_initial")]
    operations: ClassVar[list[migrations.operations.base.Operation]] = [
        migrations.RunSQL(FUNCTIONS + TRIGGERS, REVERSE),
    ]
