"""What-ifs: what one is of never changes, one that is over stays, and lines are only added."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

REFUSE = """
create trigger refuse_change before update or delete on review_whatifline
  for each row execute function review_refuse_change();
alter table review_whatifline enable always trigger refuse_change;
"""
UNREFUSE = "drop trigger refuse_change on review_whatifline;"
GUARD = """
create function review_guard_what_if() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a what-if is never deleted' using errcode = '42501';
  end if;
  if old.ended_at is not null then
    raise exception 'a what-if that is over does not change' using errcode = '42501';
  end if;
  if (to_jsonb(new) - '{state,done,ended_by_id,ended_at,result,result_digest,failure}'::text[])
     is distinct from
     (to_jsonb(old) - '{state,done,ended_by_id,ended_at,result,result_digest,failure}'::text[]) then
    raise exception 'what a what-if is of does not change' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger guard_what_if before update or delete on review_whatif
  for each row execute function review_guard_what_if();
alter table review_whatif enable always trigger guard_what_if;
"""
UNGUARD = """
drop trigger guard_what_if on review_whatif;
drop function review_guard_what_if();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("catalogs", "0006_what_if"),
        ("people", "0004_masking"),
        ("review", "0030_calibration"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="WhatIf",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[("DECIDE", "decide again"), ("READ", "read again")], max_length=8
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("WAITING", "waiting"),
                            ("RUNNING", "running"),
                            ("DONE", "done"),
                            ("CANCELLED", "called off"),
                            ("FAILED", "given up"),
                        ],
                        max_length=12,
                    ),
                ),
                ("number", models.PositiveIntegerField(default=0)),
                ("source", models.BinaryField()),
                ("title", models.CharField(max_length=300)),
                ("document_digest", models.CharField(db_index=True, max_length=64)),
                ("catalog", models.CharField(max_length=64)),
                ("first_date", models.DateField(null=True)),
                ("last_date", models.DateField(null=True)),
                ("engine", models.CharField(max_length=64)),
                ("calls", models.PositiveIntegerField()),
                ("done", models.PositiveIntegerField(default=0)),
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
                ("result", models.JSONField(null=True)),
                ("result_digest", models.CharField(blank=True, default="", max_length=64)),
                ("failure", models.TextField(blank=True, default="")),
                (
                    "asked_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "draft",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="catalogs.draft",
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
                        related_name="what_ifs",
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
                "ordering": ["-asked_at", "id"],
            },
        ),
        migrations.CreateModel(
            name="WhatIfLine",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "change",
                    models.CharField(
                        choices=[
                            ("SAME", "the same"),
                            ("PASS_TO_FAIL", "pass to fail"),
                            ("FAIL_TO_PASS", "fail to pass"),
                            ("TO_UNDETERMINED", "to undetermined"),
                            ("FROM_UNDETERMINED", "from undetermined"),
                        ],
                        max_length=20,
                    ),
                ),
                ("signed", models.BooleanField()),
                (
                    "before",
                    models.CharField(
                        choices=[
                            ("PASS", "pass"),
                            ("FAIL", "fail"),
                            ("UNDETERMINED", "undetermined"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "after",
                    models.CharField(
                        choices=[
                            ("PASS", "pass"),
                            ("FAIL", "fail"),
                            ("UNDETERMINED", "undetermined"),
                        ],
                        max_length=16,
                    ),
                ),
                ("rows", models.JSONField()),
                ("edges", models.JSONField()),
                ("annotate", models.JSONField()),
                ("lost", models.JSONField()),
                (
                    "call",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="review.call",
                    ),
                ),
                (
                    "what_if",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="lines",
                        to="review.whatif",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="WhatIfPortion",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("position", models.PositiveIntegerField()),
                (
                    "calls",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.UUIDField(), size=None
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("lease_until", models.DateTimeField(null=True)),
                ("counts", models.JSONField(null=True)),
                (
                    "what_if",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="portions",
                        to="review.whatif",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="whatif",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("document_digest__regex", "^[0-9a-f]{64}$"),
                    ("kind__in", ["DECIDE", "READ"]),
                    ("state__in", ["WAITING", "RUNNING", "DONE", "CANCELLED", "FAILED"]),
                ),
                name="whatif_codes_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="whatif",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("draft__isnull", False), ("number__gte", 1), ("version__isnull", True)
                    ),
                    models.Q(("draft__isnull", True), ("number", 0), ("version__isnull", False)),
                    _connector="OR",
                ),
                name="whatif_of_one_text",
            ),
        ),
        migrations.AddConstraint(
            model_name="whatif",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ended_at__isnull", True), ("state__in", ("WAITING", "RUNNING"))),
                    models.Q(
                        models.Q(("state__in", ("WAITING", "RUNNING")), _negated=True),
                        ("ended_at__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="whatif_over_as_state_says",
            ),
        ),
        migrations.AddConstraint(
            model_name="whatif",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("result__isnull", False),
                        ("result_digest__regex", "^[0-9a-f]{64}$"),
                        ("state", "DONE"),
                    ),
                    models.Q(
                        models.Q(("state", "DONE"), _negated=True),
                        ("result__isnull", True),
                        ("result_digest", ""),
                    ),
                    _connector="OR",
                ),
                name="whatif_done_has_result",
            ),
        ),
        migrations.AddConstraint(
            model_name="whatif",
            constraint=models.CheckConstraint(
                condition=models.Q(("calls__gte", 1), ("done__lte", models.F("calls"))),
                name="whatif_done_within_calls",
            ),
        ),
        migrations.AddIndex(
            model_name="whatifline",
            index=models.Index(fields=["what_if", "change", "id"], name="whatifline_by_change"),
        ),
        migrations.AddConstraint(
            model_name="whatifline",
            constraint=models.UniqueConstraint(fields=("what_if", "call"), name="whatifline_once"),
        ),
        migrations.AddConstraint(
            model_name="whatifline",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("after__in", ["PASS", "FAIL", "UNDETERMINED"]),
                    ("before__in", ["PASS", "FAIL", "UNDETERMINED"]),
                    (
                        "change__in",
                        [
                            "SAME",
                            "PASS_TO_FAIL",
                            "FAIL_TO_PASS",
                            "TO_UNDETERMINED",
                            "FROM_UNDETERMINED",
                        ],
                    ),
                ),
                name="whatifline_codes_known",
            ),
        ),
        migrations.AddIndex(
            model_name="whatifportion",
            index=models.Index(
                condition=models.Q(("counts__isnull", True)),
                fields=["id"],
                name="whatifportion_waiting",
            ),
        ),
        migrations.AddConstraint(
            model_name="whatifportion",
            constraint=models.UniqueConstraint(
                fields=("what_if", "position"), name="whatifportion_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="whatifportion",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("counts__isnull", True), ("lease_until__isnull", True), _connector="OR"
                ),
                name="whatifportion_done_is_free",
            ),
        ),
        migrations.RunSQL(REFUSE, UNREFUSE),
        migrations.RunSQL(GUARD, UNGUARD),
    ]
