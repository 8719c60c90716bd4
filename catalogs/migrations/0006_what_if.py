"""What a text would change of past calls: counts beside it, which are only added."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

REFUSE = """
create trigger refuse_change before update or delete on catalogs_whatifreport
  for each row execute function catalogs_refuse_change();
alter table catalogs_whatifreport enable always trigger refuse_change;
"""
UNREFUSE = "drop trigger refuse_change on catalogs_whatifreport;"


class Migration(migrations.Migration):
    dependencies = [
        ("catalogs", "0005_calibration"),
        ("people", "0004_masking"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="WhatIfReport",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("document_digest", models.CharField(db_index=True, max_length=64)),
                ("what_if_id", models.UUIDField(unique=True)),
                ("kind", models.CharField(max_length=8)),
                ("catalog", models.CharField(max_length=64)),
                ("first_date", models.DateField(null=True)),
                ("last_date", models.DateField(null=True)),
                ("engine", models.CharField(max_length=64)),
                ("figures", models.JSONField()),
                ("figures_digest", models.CharField(max_length=64)),
                ("made_at", models.DateTimeField()),
                (
                    "asked_by",
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
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("document_digest__regex", "^[0-9a-f]{64}$"),
                            ("figures_digest__regex", "^[0-9a-f]{64}$"),
                        ),
                        name="whatifreport_digest_form",
                    )
                ],
            },
        ),
        migrations.RunSQL(REFUSE, UNREFUSE),
    ]
