"""Checks of models on signed calls, and what two people promoted; both end once and then stay."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

GUARDS = """
create trigger refuse_change before update or delete on review_checkedrow
  for each row execute function review_refuse_change();
alter table review_checkedrow enable always trigger refuse_change;
create function review_guard_model_check() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a check of models is never deleted' using errcode = '42501';
  end if;
  if old.ended_at is not null then
    raise exception 'a check of models that is over does not change' using errcode = '42501';
  end if;
  if (to_jsonb(new) - '{state,done,attempts,lease_until,ended_by_id,ended_at,why}'::text[])
     is distinct from
     (to_jsonb(old) - '{state,done,attempts,lease_until,ended_by_id,ended_at,why}'::text[]) then
    raise exception 'what a check of models is of does not change' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger guard_model_check before update or delete on review_modelcheck
  for each row execute function review_guard_model_check();
alter table review_modelcheck enable always trigger guard_model_check;
create function review_guard_promotion() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a promotion is never deleted' using errcode = '42501';
  end if;
  if old.ended_at is not null then
    raise exception 'a promotion that has ended does not change' using errcode = '42501';
  end if;
  if old.stands_at is not null
     and (new.stands_by_id, new.stands_role, new.stands_at, new.stands_figures)
     is distinct from (old.stands_by_id, old.stands_role, old.stands_at, old.stands_figures) then
    raise exception 'who put a promotion in force does not change' using errcode = '42501';
  end if;
  if (new.id, new.site_id, new.phase, new.language, new.digest, new.answered, new.asked_by_id,
      new.asked_role, new.asked_at, new.asked_figures)
     is distinct from
     (old.id, old.site_id, old.phase, old.language, old.digest, old.answered, old.asked_by_id,
      old.asked_role, old.asked_at, old.asked_figures) then
    raise exception 'what a promotion holds for does not change' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger guard_promotion before update or delete on review_promotion
  for each row execute function review_guard_promotion();
alter table review_promotion enable always trigger guard_promotion;
"""
FORMER = """
drop trigger guard_promotion on review_promotion;
drop function review_guard_promotion();
drop trigger guard_model_check on review_modelcheck;
drop function review_guard_model_check();
drop trigger refuse_change on review_checkedrow;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("catalogs", "0006_what_if"),
        ("people", "0006_adjudicators"),
        ("review", "0039_candidates"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="suggestion",
            name="answered",
            field=models.CharField(blank=True, db_default="", default="", max_length=401),
        ),
        migrations.AddField(
            model_name="suggestion",
            name="digest",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
        migrations.AddField(
            model_name="suggestion",
            name="said",
            field=models.CharField(blank=True, db_default="", default="", max_length=10),
        ),
        migrations.CreateModel(
            name="ModelCheck",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("host", models.CharField(max_length=253)),
                ("asked_models", models.CharField(max_length=401)),
                (
                    "phases",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=200), size=None
                    ),
                ),
                (
                    "calls",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.UUIDField(), size=None
                    ),
                ),
                ("done", models.PositiveIntegerField(default=0)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("WAITING", "waiting"),
                            ("RUNNING", "running"),
                            ("DONE", "done"),
                            ("CANCELLED", "called off"),
                            ("STOPPED", "stopped"),
                        ],
                        max_length=12,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("lease_until", models.DateTimeField(null=True)),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("reviewer", "reviewer"),
                            ("senior_reviewer", "senior reviewer"),
                            ("compliance_officer", "compliance officer"),
                            ("catalog_author", "catalog author"),
                            ("catalog_approver", "catalog approver"),
                            ("auditor", "auditor"),
                            ("administrator", "administrator"),
                        ],
                        max_length=32,
                    ),
                ),
                ("asked_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
                ("why", models.CharField(blank=True, default="", max_length=200)),
                (
                    "asked_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
                    "site",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="people.site",
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="catalogs.catalogversion",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="CheckedRow",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("phase", models.CharField(max_length=200)),
                ("digest", models.CharField(max_length=64)),
                ("answered", models.CharField(blank=True, max_length=401)),
                (
                    "said",
                    models.CharField(
                        choices=[
                            ("PRESENT", "present"),
                            ("ABSENT", "no span"),
                            ("ABSTAINED", "no answer"),
                        ],
                        max_length=10,
                    ),
                ),
                ("variants", models.JSONField()),
                ("requests", models.JSONField(default=list)),
                ("at", models.DateTimeField()),
                (
                    "call",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="review.call",
                    ),
                ),
                (
                    "check_of",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rows",
                        to="review.modelcheck",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Promotion",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("phase", models.CharField(max_length=200)),
                ("language", models.CharField(blank=True, max_length=64)),
                ("digest", models.CharField(max_length=64)),
                ("answered", models.CharField(max_length=401)),
                (
                    "asked_role",
                    models.CharField(
                        choices=[
                            ("reviewer", "reviewer"),
                            ("senior_reviewer", "senior reviewer"),
                            ("compliance_officer", "compliance officer"),
                            ("catalog_author", "catalog author"),
                            ("catalog_approver", "catalog approver"),
                            ("auditor", "auditor"),
                            ("administrator", "administrator"),
                        ],
                        max_length=32,
                    ),
                ),
                ("asked_at", models.DateTimeField()),
                ("asked_figures", models.JSONField()),
                (
                    "stands_role",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("reviewer", "reviewer"),
                            ("senior_reviewer", "senior reviewer"),
                            ("compliance_officer", "compliance officer"),
                            ("catalog_author", "catalog author"),
                            ("catalog_approver", "catalog approver"),
                            ("auditor", "auditor"),
                            ("administrator", "administrator"),
                        ],
                        default="",
                        max_length=32,
                    ),
                ),
                ("stands_at", models.DateTimeField(null=True)),
                ("stands_figures", models.JSONField(null=True)),
                ("measured_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "ended_why",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("DECLINED", "declined before it stood"),
                            ("WITHDRAWN", "withdrawn"),
                            ("FELL", "the measured figures fell below what it takes"),
                            ("CHANGED", "model, wording or catalog changed"),
                        ],
                        default="",
                        max_length=10,
                    ),
                ),
                ("ended_figures", models.JSONField(null=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
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
                    "site",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="promotions",
                        to="people.site",
                    ),
                ),
                (
                    "stands_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="suggestion",
            name="promotion",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="review.promotion",
            ),
        ),
        migrations.AddConstraint(
            model_name="modelcheck",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at__isnull", True)),
                fields=("site",),
                name="modelcheck_one_open",
            ),
        ),
        migrations.AddConstraint(
            model_name="modelcheck",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ended_at__isnull", True), ("state__in", ("WAITING", "RUNNING"))),
                    models.Q(
                        models.Q(("state__in", ("WAITING", "RUNNING")), _negated=True),
                        ("ended_at__isnull", False),
                        ("lease_until__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="modelcheck_over_as_state_says",
            ),
        ),
        migrations.AddConstraint(
            model_name="checkedrow",
            constraint=models.UniqueConstraint(
                fields=("check_of", "call", "phase"), name="checkedrow_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="checkedrow",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("digest__regex", "^[0-9a-f]{64}$"),
                    ("said__in", ["PRESENT", "ABSENT", "ABSTAINED"]),
                ),
                name="checkedrow_codes_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="promotion",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at__isnull", True)),
                fields=("site", "phase", "language", "digest"),
                name="promotion_one_open",
            ),
        ),
        migrations.AddConstraint(
            model_name="promotion",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("stands_at__isnull", True),
                        ("stands_by__isnull", True),
                        ("stands_role", ""),
                    ),
                    models.Q(
                        ("stands_at__isnull", False),
                        ("stands_by__isnull", False),
                        models.Q(("stands_by", models.F("asked_by")), _negated=True),
                        models.Q(
                            ("asked_role", "administrator"),
                            ("stands_role", "administrator"),
                            _connector="OR",
                        ),
                    ),
                    _connector="OR",
                ),
                name="promotion_by_two",
            ),
        ),
        migrations.AddConstraint(
            model_name="promotion",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ended_at__isnull", True), ("ended_why", "")),
                    models.Q(
                        ("ended_at__isnull", False),
                        ("ended_why__in", ["DECLINED", "WITHDRAWN", "FELL", "CHANGED"]),
                    ),
                    _connector="OR",
                ),
                name="promotion_end_says_why",
            ),
        ),
        migrations.AddConstraint(
            model_name="promotion",
            constraint=models.CheckConstraint(
                condition=models.Q(("digest__regex", "^[0-9a-f]{64}$")),
                name="promotion_digest_form",
            ),
        ),
        migrations.RunSQL(GUARDS, FORMER),
    ]
