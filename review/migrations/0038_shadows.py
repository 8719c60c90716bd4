"""What versions in shadow say of calls: lines are only added, and lose what is in them at erasure."""

import django.db.models.deletion
from django.db import migrations, models

GUARD = """
create function review_guard_shadow_line() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and review_is_erased(to_jsonb(old)) and to_jsonb(new) = to_jsonb(old)
       || '{"rows": [], "edges": [], "annotate": [], "lost": []}'::jsonb then
    return new;
  end if;
  raise exception '% is append-only (% refused)', tg_table_name, tg_op using errcode = '42501';
end $$;
create trigger refuse_change before update or delete on review_shadowline
  for each row execute function review_guard_shadow_line();
alter table review_shadowline enable always trigger refuse_change;
"""
UNGUARD = """
drop trigger refuse_change on review_shadowline;
drop function review_guard_shadow_line();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("catalogs", "0007_trials"),
        ("review", "0037_adjudication"),
    ]

    operations = [
        migrations.CreateModel(
            name="ShadowLine",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("judged_by", models.CharField(max_length=64)),
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
                    "trial",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="catalogs.versiontrial",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["trial", "change", "id"], name="shadowline_by_change")
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("trial", "call"), name="shadowline_once"),
                    models.CheckConstraint(
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
                            ("judged_by__regex", "^[0-9a-f]{64}$"),
                        ),
                        name="shadowline_codes_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ShadowRun",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("WAITING", "waiting"),
                            ("DONE", "done"),
                            ("UNREAD", "could not be compared"),
                            ("FAILED", "given up"),
                        ],
                        default="WAITING",
                        max_length=8,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("lease_until", models.DateTimeField(null=True)),
                ("failure", models.CharField(blank=True, default="", max_length=100)),
                (
                    "call",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="review.call",
                    ),
                ),
                (
                    "trial",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="catalogs.versiontrial",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "WAITING")),
                        fields=["id"],
                        name="shadowrun_waiting",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("trial", "call"), name="shadowrun_once"),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["WAITING", "DONE", "UNREAD", "FAILED"])),
                        name="shadowrun_state_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state", "WAITING"), ("lease_until__isnull", True), _connector="OR"
                        ),
                        name="shadowrun_done_is_free",
                    ),
                ],
            },
        ),
        migrations.RunSQL(GUARD, UNGUARD),
    ]
