"""Figures of agreement beside a calibration, and the round that they are of."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("catalogs", "0004_draft_guards"),
    ]

    operations = [
        migrations.AddField(
            model_name="calibrationreport",
            name="figures",
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name="calibrationreport",
            name="round_id",
            field=models.UUIDField(null=True),
        ),
    ]
