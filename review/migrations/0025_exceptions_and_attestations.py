"""Exceptions with an end, and attestations of periods, which a trigger guards."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

GUARD = """
create trigger refuse_change before update or delete on review_attestation
  for each row execute function review_refuse_change();
alter table review_attestation enable always trigger refuse_change;
"""
UNGUARD = "drop trigger refuse_change on review_attestation;"


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0002_administration"),
        ("review", "0024_compliance_lines"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Attestation",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("first", models.DateField()),
                ("last", models.DateField()),
                ("number", models.PositiveIntegerField()),
                ("record", models.BinaryField(max_length=65536)),
                ("digest", models.CharField(max_length=64, unique=True)),
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
                    "site",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="people.site",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["site", "-at"], name="attestation_latest")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("site", "first", "last", "number"), name="attestation_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("last__gte", models.F("first"))),
                        name="attestation_days_forward",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("digest__regex", "^[0-9a-f]{64}$")),
                        name="attestation_digest_form",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ComplianceException",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("catalog", models.CharField(max_length=64)),
                ("name", models.CharField(max_length=401)),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("POLICY", "policy is being changed"),
                            ("SYSTEM", "a system outside was down or wrong"),
                            ("CATALOG", "the catalog asks for too much"),
                            ("TRAINING", "the agent is being corrected"),
                            ("OTHER", "another reason, in words"),
                        ],
                        max_length=16,
                    ),
                ),
                ("words", models.CharField(max_length=1000)),
                ("nonce", models.BinaryField(max_length=32)),
                ("first", models.DateField()),
                ("last", models.DateField()),
                ("asked_at", models.DateTimeField()),
                ("approved_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "approved_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
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
            ],
            options={
                "indexes": [models.Index(fields=["site", "-asked_at"], name="exception_of_site")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("reason__in", ["POLICY", "SYSTEM", "CATALOG", "TRAINING", "OTHER"])
                        ),
                        name="exception_reason_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("last__gte", models.F("first"))),
                        name="exception_days_forward",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("name__regex", "\\S"), ("words__regex", "\\S")),
                        name="exception_says_words",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("approved_at", None), ("approved_by", None)),
                            models.Q(
                                ("approved_at__isnull", False),
                                ("approved_by__isnull", False),
                                models.Q(("approved_by", models.F("asked_by")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="exception_second_person",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ended_at", None), ("ended_by", None)),
                            models.Q(("ended_at__isnull", False), ("ended_by__isnull", False)),
                            _connector="OR",
                        ),
                        name="exception_ended_by_somebody",
                    ),
                ],
            },
        ),
        migrations.RunSQL(GUARD, UNGUARD),
    ]
