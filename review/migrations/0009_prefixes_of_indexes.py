"""Foreign keys without an index of their own where a longer index begins with the same column.

A call of a hundred turns wrote a hundred and fifty entries into indexes that nothing read.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0002_administration"),
        ("review", "0008_attention"),
    ]

    operations = [
        migrations.AlterField(
            model_name="call",
            name="site",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="calls",
                to="people.site",
            ),
        ),
        migrations.AlterField(
            model_name="evaluation",
            name="call",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="evaluations",
                to="review.call",
            ),
        ),
        migrations.AlterField(
            model_name="evaluation",
            name="run",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="evaluations",
                to="review.prefillrun",
            ),
        ),
        migrations.AlterField(
            model_name="event",
            name="call",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="events",
                to="review.call",
            ),
        ),
        migrations.AlterField(
            model_name="importline",
            name="batch",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="lines",
                to="review.importbatch",
            ),
        ),
        migrations.AlterField(
            model_name="phaserow",
            name="call",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="rows",
                to="review.call",
            ),
        ),
        migrations.AlterField(
            model_name="proposedrow",
            name="run",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="proposals",
                to="review.prefillrun",
            ),
        ),
        migrations.AlterField(
            model_name="transcriptrevision",
            name="call",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="transcripts",
                to="review.call",
            ),
        ),
        migrations.AlterField(
            model_name="turn",
            name="call",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="turns",
                to="review.call",
            ),
        ),
    ]
