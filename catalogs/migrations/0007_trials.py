"""Trials of published versions, and guards that know of them.

A version on trial may share its days with the one that decides; when it is let to decide, its first
day moves on to the day that was chosen, and no further.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

_GUARD = """
create or replace function catalogs_guard_published() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if old.state not in ('PUBLISHED', 'RETIRED') then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  if tg_op = 'DELETE' then
    raise exception 'a published catalog version is never deleted' using errcode = '42501';
  end if;
{first_day}  if (to_jsonb(new) - '{{state,effective_to,retired_by_id,retired_at,revision{column}}}'::text[])
     is distinct from
     (to_jsonb(old) - '{{state,effective_to,retired_by_id,retired_at,revision{column}}}'::text[]) then
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
"""
_FIRST_DAY = """  if new.effective_from is distinct from old.effective_from and (
       new.effective_from < old.effective_from or not catalogs_is_on_trial(old.id)) then
    raise exception 'a published catalog version does not change' using errcode = '42501';
  end if;
"""
_OVERLAP = """
create or replace function catalogs_refuse_overlap() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.state <> 'PUBLISHED'{new_on_trial} then
    return new;
  end if;
  perform 1 from catalogs_catalog where id = new.catalog_id for update;
  if exists (
    select 1 from catalogs_catalogversion other
     where other.catalog_id = new.catalog_id and other.id <> new.id and other.state = 'PUBLISHED'
       and daterange(other.effective_from, other.effective_to, '[]')
           && daterange(new.effective_from, new.effective_to, '[]'){other_on_trial}
  ) then
    raise exception 'two published versions of one catalog would be in force on the same day'
      using errcode = '23P01', constraint = 'catalogversion_windows_apart';
  end if;
  return new;
end $$;
"""
ON_TRIAL = """
create function catalogs_is_on_trial(of_version uuid) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists(
    select from catalogs_versiontrial where version_id = of_version and ended_at is null)
$$;
"""
KNOWING = _GUARD.format(first_day=_FIRST_DAY, column=",effective_from") + _OVERLAP.format(
    new_on_trial=" or catalogs_is_on_trial(new.id)",
    other_on_trial="\n       and not catalogs_is_on_trial(other.id)",
)
BEFORE = _GUARD.format(first_day="", column="") + _OVERLAP.format(
    new_on_trial="", other_on_trial=""
)
TRIALS = """
create function catalogs_guard_trial() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a trial is never deleted' using errcode = '42501';
  end if;
  if tg_op = 'INSERT' then
    -- Only publishing begins a trial, and a trial that is changed: what decides goes on deciding.
    if not exists(
         select from catalogs_catalogversion version
          where version.id = new.version_id and version.catalog_id = new.catalog_id
            and (version.state = 'IN_REVIEW' or exists(
                  select from catalogs_versiontrial before
                   where before.version_id = version.id and before."end" = 'CHANGED'
                     and before.ended_at = new.begun_at))) then
      raise exception 'a trial begins when its version is published' using errcode = '42501';
    end if;
    return new;
  end if;
  if old.ended_at is not null or (to_jsonb(new) - '{end,ended_by_id,ended_at,decides_from}'::text[])
     is distinct from (to_jsonb(old) - '{end,ended_by_id,ended_at,decides_from}'::text[]) then
    raise exception 'what a trial is of does not change' using errcode = '42501';
  end if;
  return new;
end $$;

create function catalogs_follow_trial() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare tried catalogs_catalogversion;
begin
  select * into tried from catalogs_catalogversion where id = new.version_id;
  if new."end" = 'RETIRED' and tried.state <> 'RETIRED'
     or new."end" = 'DECIDES' and tried.effective_from <> new.decides_from
     or new."end" = 'CHANGED' and tried.state = 'PUBLISHED'
        and not exists(select from catalogs_versiontrial later
                        where later.version_id = new.version_id and later.id <> new.id
                          and later.begun_at >= new.ended_at) then
    raise exception 'a trial ends as its version says' using errcode = '42501';
  end if;
  if new."end" = 'DECIDES' and exists(
    select 1 from catalogs_catalogversion other
     where other.catalog_id = tried.catalog_id and other.id <> tried.id
       and other.state = 'PUBLISHED' and tried.state = 'PUBLISHED'
       and not catalogs_is_on_trial(other.id)
       and daterange(other.effective_from, other.effective_to, '[]')
           && daterange(tried.effective_from, tried.effective_to, '[]')) then
    raise exception 'two published versions of one catalog would be in force on the same day'
      using errcode = '23P01', constraint = 'catalogversion_windows_apart';
  end if;
  return null;
end $$;

create trigger guard_trial before insert or update or delete on catalogs_versiontrial
  for each row execute function catalogs_guard_trial();
-- At the end of the transaction: a trial that is changed is followed by the next.
create constraint trigger follow_trial after update on catalogs_versiontrial
  deferrable initially deferred for each row execute function catalogs_follow_trial();
alter table catalogs_versiontrial enable always trigger guard_trial;
alter table catalogs_versiontrial enable always trigger follow_trial;
"""
UNTRIALS = """
drop trigger follow_trial on catalogs_versiontrial;
drop trigger guard_trial on catalogs_versiontrial;
drop function catalogs_follow_trial();
drop function catalogs_guard_trial();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("catalogs", "0006_what_if"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="VersionTrial",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                (
                    "mode",
                    models.CharField(
                        choices=[("SHADOW", "in shadow"), ("CANARY", "for a share of calls")],
                        max_length=8,
                    ),
                ),
                ("share", models.PositiveSmallIntegerField()),
                ("first_day", models.DateField()),
                ("begun_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "end",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("DECIDES", "it decides"),
                            ("RETIRED", "it was retired"),
                            ("CHANGED", "it is tried otherwise"),
                        ],
                        default="",
                        max_length=8,
                    ),
                ),
                ("decides_from", models.DateField(null=True)),
                (
                    "begun_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "catalog",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="catalogs.catalog",
                    ),
                ),
                (
                    "ended_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="trials",
                        to="catalogs.catalogversion",
                    ),
                ),
            ],
            options={
                "ordering": ["begun_at", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at__isnull", True)),
                        fields=("catalog",),
                        name="versiontrial_one_open",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("mode", "SHADOW"), ("share", 0)),
                            models.Q(("mode", "CANARY"), ("share__gte", 1), ("share__lte", 99)),
                            _connector="OR",
                        ),
                        name="versiontrial_share_as_mode_says",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("end", ""), ("ended_at__isnull", True), ("ended_by__isnull", True)
                            ),
                            models.Q(
                                ("end__in", ["DECIDES", "RETIRED", "CHANGED"]),
                                ("ended_at__gte", models.F("begun_at")),
                                ("ended_at__isnull", False),
                                ("ended_by__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="versiontrial_end_as_said",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("decides_from__isnull", False), ("end", "DECIDES")),
                            models.Q(
                                models.Q(("end", "DECIDES"), _negated=True),
                                ("decides_from__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="versiontrial_decides_from_a_day",
                    ),
                ],
            },
        ),
        migrations.RunSQL(ON_TRIAL + KNOWING, BEFORE + "drop function catalogs_is_on_trial(uuid);"),
        migrations.RunSQL(TRIALS, UNTRIALS),
    ]
