"""Calibration rounds. What was said and decided is only added; what is rated never changes."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

INSERT_ONLY = (
    "review_calibrationcall",
    "review_calibrationrating",
    "review_calibrationdecision",
)
REFUSE = "".join(
    f"""
create trigger refuse_change before update or delete on {table}
  for each row execute function review_refuse_change();
alter table {table} enable always trigger refuse_change;
"""
    for table in INSERT_ONLY
)
GUARD = """
create function review_guard_round() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a calibration round is never deleted' using errcode = '42501';
  end if;
  if old.over_at is not null then
    raise exception 'a calibration round that is over does not change' using errcode = '42501';
  end if;
  if (to_jsonb(new) - '{state,rated_at,over_by_id,over_at,seed,draws,figures}'::text[])
     is distinct from
     (to_jsonb(old) - '{state,rated_at,over_by_id,over_at,seed,draws,figures}'::text[]) then
    raise exception 'what a calibration round is of does not change' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger guard_round before update or delete on review_calibrationround
  for each row execute function review_guard_round();
alter table review_calibrationround enable always trigger guard_round;

create function review_guard_rater() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a rater is never deleted' using errcode = '42501';
  end if;
  if old.done_at is not null
     or (to_jsonb(new) - '{done_at,seen_before}'::text[])
        is distinct from (to_jsonb(old) - '{done_at,seen_before}'::text[]) then
    raise exception 'a rater is done once' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger guard_rater before update or delete on review_calibrationrater
  for each row execute function review_guard_rater();
alter table review_calibrationrater enable always trigger guard_rater;
"""
UNREFUSE = "".join(f"drop trigger refuse_change on {table};" for table in INSERT_ONLY)
UNGUARD = """
drop trigger guard_round on review_calibrationround;
drop function review_guard_round();
drop trigger guard_rater on review_calibrationrater;
drop function review_guard_rater();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("catalogs", "0005_calibration"),
        ("people", "0002_administration"),
        ("review", "0029_disputes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="CalibrationCall",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("position", models.PositiveSmallIntegerField()),
                ("name", models.CharField(max_length=500)),
                ("transcript_revision", models.PositiveIntegerField(default=0)),
                ("transcript_digest", models.CharField(max_length=64)),
                (
                    "call",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="review.call",
                    ),
                ),
            ],
            options={
                "ordering": ["round", "position"],
            },
        ),
        migrations.CreateModel(
            name="CalibrationRound",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("CATALOG", "catalog version"),
                            ("CHECKLIST", "double-coded checklist"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("RATING", "being rated"),
                            ("DIFFERING", "differences are talked over"),
                            ("CLOSED", "closed"),
                            ("CALLED_OFF", "called off"),
                        ],
                        max_length=16,
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("title", models.CharField(max_length=300)),
                ("source", models.BinaryField()),
                ("document_digest", models.CharField(max_length=64)),
                ("set_digest", models.CharField(max_length=64)),
                ("phases", models.JSONField()),
                (
                    "role",
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
                ("opened_at", models.DateTimeField()),
                ("rated_at", models.DateTimeField(null=True)),
                ("over_at", models.DateTimeField(null=True)),
                ("seed", models.CharField(blank=True, default="", max_length=64)),
                ("draws", models.PositiveIntegerField(default=0)),
                ("figures", models.JSONField(null=True)),
                (
                    "opened_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "over_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "previous",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="review.calibrationround",
                    ),
                ),
                (
                    "site",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="calibration_rounds",
                        to="people.site",
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="catalogs.catalogversion",
                    ),
                ),
            ],
            options={
                "ordering": ["-opened_at", "id"],
            },
        ),
        migrations.CreateModel(
            name="CalibrationRater",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("position", models.PositiveSmallIntegerField()),
                ("name", models.CharField(max_length=300)),
                ("done_at", models.DateTimeField(null=True)),
                ("seen_before", models.BooleanField(db_default=False, default=False)),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="raters",
                        to="review.calibrationround",
                    ),
                ),
            ],
            options={
                "ordering": ["round", "position"],
            },
        ),
        migrations.CreateModel(
            name="CalibrationDecision",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("phase", models.CharField(max_length=500)),
                ("right", models.PositiveSmallIntegerField(null=True)),
                ("why", models.TextField()),
                ("change", models.TextField(blank=True, default="")),
                ("nonce", models.BinaryField(max_length=32)),
                ("key", models.UUIDField()),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "call",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="decisions",
                        to="review.calibrationcall",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="decisions",
                        to="review.calibrationround",
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="calibrationcall",
            name="round",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="calls",
                to="review.calibrationround",
            ),
        ),
        migrations.CreateModel(
            name="CalibrationRating",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("phase", models.CharField(max_length=500)),
                ("value", models.JSONField()),
                ("key", models.UUIDField()),
                ("at", models.DateTimeField()),
                (
                    "call",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ratings",
                        to="review.calibrationcall",
                    ),
                ),
                (
                    "rater",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ratings",
                        to="review.calibrationrater",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("rater", "key"), name="calibrationrating_key_once"
                    )
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="calibrationround",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("kind__in", ["CATALOG", "CHECKLIST"]),
                    ("state__in", ["RATING", "DIFFERING", "CLOSED", "CALLED_OFF"]),
                    ("document_digest__regex", "^[0-9a-f]{64}$"),
                    ("set_digest__regex", "^[0-9a-f]{64}$"),
                ),
                name="calibrationround_codes_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="calibrationround",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("over_at__isnull", True), ("state__in", ("RATING", "DIFFERING"))),
                    models.Q(("over_at__isnull", False), ("state__in", ("CLOSED", "CALLED_OFF"))),
                    _connector="OR",
                ),
                name="calibrationround_over_as_state_says",
            ),
        ),
        migrations.AddConstraint(
            model_name="calibrationround",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("figures__isnull", False), ("state", "CLOSED")),
                    models.Q(
                        models.Q(("state", "CLOSED"), _negated=True), ("figures__isnull", True)
                    ),
                    _connector="OR",
                ),
                name="calibrationround_closed_has_figures",
            ),
        ),
        migrations.AddConstraint(
            model_name="calibrationrater",
            constraint=models.UniqueConstraint(
                fields=("round", "position"), name="calibrationrater_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="calibrationrater",
            constraint=models.UniqueConstraint(
                fields=("round", "person"), name="calibrationrater_person_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="calibrationdecision",
            constraint=models.UniqueConstraint(
                fields=("round", "key"), name="calibrationdecision_key_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="calibrationdecision",
            constraint=models.CheckConstraint(
                condition=models.Q(("why__regex", "\\S")), name="calibrationdecision_says_why"
            ),
        ),
        migrations.AddConstraint(
            model_name="calibrationcall",
            constraint=models.UniqueConstraint(
                fields=("round", "position"), name="calibrationcall_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="calibrationcall",
            constraint=models.UniqueConstraint(
                fields=("round", "call"), name="calibrationcall_call_once"
            ),
        ),
        migrations.RunSQL(REFUSE, UNREFUSE),
        migrations.RunSQL(GUARD, UNGUARD),
    ]
