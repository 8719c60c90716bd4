"""Decisions of people on rows and facts; evaluations of rows with such decisions on them.

Rows of before have the revision that their pre-fills gave them.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

INSERT_ONLY = ("review_decision",)

GUARD = "".join(
    f"""
create trigger refuse_change before update or delete on {table}
  for each row execute function review_refuse_change();
alter table {table} enable always trigger refuse_change;
"""
    for table in INSERT_ONLY
)
UNGUARD = "".join(f"drop trigger refuse_change on {table};" for table in INSERT_ONLY)

REVISIONS = """
update review_phaserow as line set revision = greatest(1, (
  select count(*) from review_prefillrun as run
  where run.call_id = line.call_id and run.state = 'DONE'));
"""


class Migration(migrations.Migration):
    dependencies = [
        ("review", "0006_import_options"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Decision",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("number", models.PositiveIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("CONFIRM", "confirmed"),
                            ("SET_START", "set the start"),
                            ("SET_FINISH", "set the finish"),
                            ("SET_VERDICT", "set the verdict"),
                            ("SET_EVIDENCE", "set evidence"),
                            ("SET_ITEM", "marked an item"),
                            ("SET_FACT", "set a fact"),
                            ("DOUBT", "doubted"),
                            ("COMMENT", "commented"),
                            ("UNDO", "took back"),
                        ],
                        max_length=16,
                    ),
                ),
                ("phase", models.CharField(blank=True, default="", max_length=200)),
                ("fact", models.CharField(blank=True, default="", max_length=200)),
                ("value", models.JSONField()),
                ("revision", models.PositiveIntegerField()),
                ("key", models.UUIDField()),
                ("sealed", models.BinaryField(null=True)),
                ("sealed_nonce", models.BinaryField(null=True)),
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
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name="phaserow",
            name="decided_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="phaserow",
            name="decided_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="phaserow",
            name="needs_second",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="phaserow",
            name="revision",
            field=models.PositiveIntegerField(db_default=1, default=1),
        ),
        migrations.AddField(
            model_name="phaserow",
            name="standing",
            field=models.CharField(
                choices=[
                    ("PROPOSED", "proposed"),
                    ("CONFIRMED", "confirmed"),
                    ("DOUBTED", "in doubt"),
                ],
                db_default="PROPOSED",
                default="PROPOSED",
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="evaluation",
            name="run",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="evaluations",
                to="review.prefillrun",
            ),
        ),
        migrations.AddConstraint(
            model_name="phaserow",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("decided_at__isnull", True),
                        ("decided_by__isnull", True),
                        ("standing", "PROPOSED"),
                    ),
                    models.Q(
                        ("decided_at__isnull", False),
                        ("decided_by__isnull", False),
                        ("standing__in", ("CONFIRMED", "DOUBTED")),
                        ("touched_at__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="phaserow_decided_by_somebody",
            ),
        ),
        migrations.AddField(
            model_name="decision",
            name="by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="decision",
            name="call",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="decisions",
                to="review.call",
            ),
        ),
        migrations.AddField(
            model_name="decision",
            name="run",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="decisions",
                to="review.prefillrun",
            ),
        ),
        migrations.AddField(
            model_name="evaluation",
            name="decision",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="evaluations",
                to="review.decision",
            ),
        ),
        migrations.AddConstraint(
            model_name="evaluation",
            constraint=models.UniqueConstraint(
                condition=models.Q(("decision", None)),
                fields=("run",),
                name="evaluation_of_proposals_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="evaluation",
            constraint=models.UniqueConstraint(
                fields=("run", "decision"), name="evaluation_of_decision_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="decision",
            constraint=models.UniqueConstraint(fields=("call", "number"), name="decision_once"),
        ),
        migrations.AddConstraint(
            model_name="decision",
            constraint=models.UniqueConstraint(fields=("call", "key"), name="decision_key_once"),
        ),
        migrations.AddConstraint(
            model_name="decision",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "CONFIRM",
                            "SET_START",
                            "SET_FINISH",
                            "SET_VERDICT",
                            "SET_EVIDENCE",
                            "SET_ITEM",
                            "SET_FACT",
                            "DOUBT",
                            "COMMENT",
                            "UNDO",
                        ],
                    ),
                    ("role__in", ("reviewer", "senior_reviewer")),
                ),
                name="decision_codes_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="decision",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("fact__regex", "\\S"), ("phase", "")),
                    models.Q(("fact", ""), ("phase__regex", "\\S")),
                    _connector="OR",
                ),
                name="decision_about_row_or_fact",
            ),
        ),
        migrations.AddConstraint(
            model_name="decision",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("sealed__isnull", True), ("sealed_nonce__isnull", True)),
                    models.Q(("sealed__isnull", False), ("sealed_nonce__isnull", False)),
                    _connector="OR",
                ),
                name="decision_words_have_nonce",
            ),
        ),
        migrations.AddConstraint(
            model_name="decision",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind__in", ("DOUBT", "COMMENT")), _negated=True),
                    ("sealed__isnull", False),
                    _connector="OR",
                ),
                name="decision_says_words",
            ),
        ),
        migrations.RunSQL(GUARD, UNGUARD),
        migrations.RunSQL(REVISIONS, migrations.RunSQL.noop),
    ]
