"""Transcript revisions, remembered role maps, reasons that people give, and runs read again.

Every call that is there gets its transcript as revision 1; sealed texts stay as they are.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

INSERT_ONLY = ("review_transcriptrevision", "review_callnote")

GUARD = "".join(
    f"""
create trigger refuse_change before update or delete on {table}
  for each row execute function review_refuse_change();
alter table {table} enable always trigger refuse_change;
"""
    for table in INSERT_ONLY
)
UNGUARD = "".join(f"drop trigger refuse_change on {table};" for table in INSERT_ONLY)

FIRST_REVISIONS = """
insert into review_transcriptrevision
  (call_id, number, why, source_sha256, transcript_digest, ended, attributes, speakers, flags,
   findings, turn_count, by_id, at)
select id, 1, 'IMPORT', source_sha256, transcript_digest, ended, attributes, speakers, flags,
   findings, turn_count, received_by_id, received_at
from review_call;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("catalogs", "0002_guards"),
        ("people", "0001_people"),
        ("review", "0004_listed_calls"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="CallNote",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("number", models.PositiveIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[("SENT_BACK", "sent back to mapping"), ("WITHDRAWN", "withdrawn")],
                        max_length=16,
                    ),
                ),
                ("sealed", models.BinaryField()),
                ("sealed_nonce", models.BinaryField()),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="RoleMap",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("source", models.CharField(max_length=100)),
                ("roles", models.JSONField()),
                ("confirmed_at", models.DateTimeField()),
            ],
            options={
                "ordering": ["site", "source", "catalog"],
            },
        ),
        migrations.CreateModel(
            name="TranscriptRevision",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("number", models.PositiveIntegerField()),
                (
                    "why",
                    models.CharField(
                        choices=[
                            ("IMPORT", "imported"),
                            ("OTHER_BYTES", "other bytes imported"),
                            ("MAPPING", "roles or settings changed"),
                            ("SWAP", "speakers swapped"),
                        ],
                        max_length=16,
                    ),
                ),
                ("source_sha256", models.CharField(max_length=64)),
                ("transcript_digest", models.CharField(max_length=64)),
                ("ended", models.BooleanField(null=True)),
                ("attributes", models.JSONField()),
                ("speakers", models.JSONField()),
                ("flags", models.JSONField()),
                ("findings", models.JSONField()),
                ("turn_count", models.PositiveIntegerField()),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="event",
            name="event_position_once",
        ),
        migrations.RemoveConstraint(
            model_name="prefillrun",
            name="prefillrun_attempts_bounded",
        ),
        migrations.RemoveConstraint(
            model_name="turn",
            name="turn_number_once",
        ),
        migrations.RemoveConstraint(
            model_name="turn",
            name="turn_position_once",
        ),
        migrations.AddField(
            model_name="call",
            name="transcript_revision",
            field=models.PositiveIntegerField(db_default=1, default=1),
        ),
        migrations.AddField(
            model_name="event",
            name="revision",
            field=models.PositiveIntegerField(db_default=1, default=1),
        ),
        migrations.AddField(
            model_name="prefillrun",
            name="most_attempts",
            field=models.PositiveSmallIntegerField(db_default=3, default=3),
        ),
        migrations.AddField(
            model_name="turn",
            name="revision",
            field=models.PositiveIntegerField(db_default=1, default=1),
        ),
        migrations.AddConstraint(
            model_name="call",
            constraint=models.CheckConstraint(
                condition=models.Q(("transcript_revision__gte", 1)),
                name="call_transcript_revision_counts",
            ),
        ),
        migrations.AddConstraint(
            model_name="event",
            constraint=models.UniqueConstraint(
                fields=("call", "revision", "position"), name="event_position_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="prefillrun",
            constraint=models.CheckConstraint(
                condition=models.Q(("attempts__lte", models.F("most_attempts"))),
                name="prefillrun_attempts_bounded",
            ),
        ),
        migrations.AddConstraint(
            model_name="turn",
            constraint=models.UniqueConstraint(
                fields=("call", "revision", "number"), name="turn_number_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="turn",
            constraint=models.UniqueConstraint(
                fields=("call", "revision", "position"), name="turn_position_once"
            ),
        ),
        migrations.AddField(
            model_name="callnote",
            name="by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="callnote",
            name="call",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="notes", to="review.call"
            ),
        ),
        migrations.AddField(
            model_name="rolemap",
            name="catalog",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="role_maps",
                to="catalogs.catalog",
            ),
        ),
        migrations.AddField(
            model_name="rolemap",
            name="confirmed_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="rolemap",
            name="site",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="role_maps",
                to="people.site",
            ),
        ),
        migrations.AddField(
            model_name="transcriptrevision",
            name="by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="transcriptrevision",
            name="call",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="transcripts",
                to="review.call",
            ),
        ),
        migrations.AddConstraint(
            model_name="callnote",
            constraint=models.UniqueConstraint(fields=("call", "number"), name="callnote_once"),
        ),
        migrations.AddConstraint(
            model_name="callnote",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["SENT_BACK", "WITHDRAWN"])),
                name="callnote_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="rolemap",
            constraint=models.UniqueConstraint(
                fields=("site", "source", "catalog"), name="rolemap_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="transcriptrevision",
            constraint=models.UniqueConstraint(
                fields=("call", "number"), name="transcriptrevision_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="transcriptrevision",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("number", 1), ("why", "IMPORT")),
                    models.Q(
                        ("number__gt", 1),
                        ("why__in", ["IMPORT", "OTHER_BYTES", "MAPPING", "SWAP"]),
                        models.Q(("why", "IMPORT"), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="transcriptrevision_first_is_import",
            ),
        ),
        migrations.AddConstraint(
            model_name="transcriptrevision",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("source_sha256__regex", "^[0-9a-f]{64}$"),
                    ("transcript_digest__regex", "^[0-9a-f]{64}$"),
                ),
                name="transcriptrevision_digests_form",
            ),
        ),
        migrations.RunSQL(GUARD, UNGUARD),
        migrations.RunSQL(FIRST_REVISIONS, migrations.RunSQL.noop),
    ]
