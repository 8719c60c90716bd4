"""A version merged from an overlay keeps the overlay's bytes and the base it was laid over.

The guard of 0002 compares whole rows: both are as fixed as the text once a version is published.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("catalogs", "0007_trials"),
    ]

    operations = [
        migrations.AddField(
            model_name="catalogversion",
            name="overlay",
            field=models.BinaryField(null=True),
        ),
        migrations.AddField(
            model_name="catalogversion",
            name="base",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="overlays",
                to="catalogs.catalogversion",
            ),
        ),
        migrations.AddConstraint(
            model_name="catalogversion",
            constraint=models.CheckConstraint(
                condition=models.Q(("base__isnull", True), ("overlay__isnull", True))
                | models.Q(("base__isnull", False), ("overlay__isnull", False)),
                name="catalogversion_overlay_has_base",
            ),
        ),
    ]
