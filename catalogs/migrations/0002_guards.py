"""Guards that no constraint can express: published versions stand for ever, windows never overlap.

The embedded PostgreSQL has no btree_gist, so the overlap is refused by a trigger that locks the
catalog's row first: of two publications at once the second sees the first.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations

FUNCTIONS = """
create function catalogs_refuse_change() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  raise exception '% is append-only (% refused)', tg_table_name, tg_op using errcode = '42501';
end $$;

create function catalogs_guard_published() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if old.state not in ('PUBLISHED', 'RETIRED') then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  if tg_op = 'DELETE' then
    raise exception 'a published catalog version is never deleted' using errcode = '42501';
  end if;
  if (to_jsonb(new) - '{state,effective_to,retired_by_id,retired_at,revision}'::text[])
     is distinct from
     (to_jsonb(old) - '{state,effective_to,retired_by_id,retired_at,revision}'::text[]) then
    raise exception 'a published catalog version does not change' using errcode = '42501';
  end if;
  if not (new.state = old.state or (old.state = 'PUBLISHED' and new.state = 'RETIRED')) then
    raise exception 'a published catalog version can only be retired' using errcode = '42501';
  end if;
  if old.state = 'RETIRED' and new is distinct from old then
    raise exception 'a retired catalog version does not change' using errcode = '42501';
  end if;
  if old.effective_to is not null and new.effective_to is distinct from old.effective_to then
    raise exception 'the last day of a published version is set once' using errcode = '42501';
  end if;
  return new;
end $$;

create function catalogs_refuse_overlap() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.state <> 'PUBLISHED' then
    return new;
  end if;
  perform 1 from catalogs_catalog where id = new.catalog_id for update;
  if exists (
    select 1 from catalogs_catalogversion other
     where other.catalog_id = new.catalog_id and other.id <> new.id and other.state = 'PUBLISHED'
       and daterange(other.effective_from, other.effective_to, '[]')
           && daterange(new.effective_from, new.effective_to, '[]')
  ) then
    raise exception 'two published versions of one catalog would be in force on the same day'
      using errcode = '23P01', constraint = 'catalogversion_windows_apart';
  end if;
  return new;
end $$;
"""

# A trigger fires before the next in the order of their names.
TRIGGERS = """
create trigger guard_published before update or delete on catalogs_catalogversion
  for each row execute function catalogs_guard_published();
create trigger refuse_overlap before insert or update on catalogs_catalogversion
  for each row execute function catalogs_refuse_overlap();
create trigger refuse_change before update or delete on catalogs_calibrationreport
  for each row execute function catalogs_refuse_change();
create trigger refuse_change before update or delete on catalogs_rehearsalreport
  for each row execute function catalogs_refuse_change();
alter table catalogs_catalogversion enable always trigger guard_published;
alter table catalogs_catalogversion enable always trigger refuse_overlap;
alter table catalogs_calibrationreport enable always trigger refuse_change;
alter table catalogs_rehearsalreport enable always trigger refuse_change;
"""

REVERSE = """
drop trigger guard_published on catalogs_catalogversion;
drop trigger refuse_overlap on catalogs_catalogversion;
drop trigger refuse_change on catalogs_calibrationreport;
drop trigger refuse_change on catalogs_rehearsalreport;
drop function catalogs_guard_published();
drop function catalogs_refuse_overlap();
drop function catalogs_refuse_change();
"""


class Migration(migrations.Migration):
    """Functions, then triggers that fire in replica sessions as well."""

    dependencies: ClassVar[list[tuple[str, str]]] = [("catalogs", "0001_initial")]
    operations: ClassVar[list[migrations.operations.base.Operation]] = [
        migrations.RunSQL(FUNCTIONS + TRIGGERS, REVERSE),
    ]
