"""Candidates by wording: what was found is only added; a decision may name the one it took."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

GUARDS = """
create trigger refuse_change before update or delete on review_candidateturns
  for each row execute function review_refuse_change();
alter table review_candidateturns enable always trigger refuse_change;
create trigger refuse_change before update or delete on review_catalogwording
  for each row execute function review_refuse_change();
alter table review_catalogwording enable always trigger refuse_change;
"""
FORMER = """
drop trigger refuse_change on review_candidateturns;
drop trigger refuse_change on review_catalogwording;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("review", "0038_shadows"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="CandidateSearch",
            fields=[
                (
                    "run",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="candidate_search",
                        serialize=False,
                        to="review.prefillrun",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("RUNNING", "running"), ("DONE", "done")], max_length=8
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField()),
                ("lease_until", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="CandidateTurns",
            fields=[
                (
                    "run",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="candidate_turns",
                        serialize=False,
                        to="review.prefillrun",
                    ),
                ),
                ("model", models.CharField(max_length=200)),
                ("model_digest", models.CharField(max_length=64)),
                ("transcript_digest", models.CharField(max_length=64)),
                ("catalog_digest", models.CharField(max_length=64)),
                ("texts_digest", models.CharField(max_length=64)),
                ("places", models.JSONField()),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="CatalogWording",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("catalog_digest", models.CharField(max_length=64)),
                ("model_digest", models.CharField(max_length=64)),
                ("texts_digest", models.CharField(max_length=64)),
                ("vectors", models.BinaryField()),
                ("made_at", models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name="decision",
            name="candidate",
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.AddConstraint(
            model_name="decision",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("candidate__isnull", True),
                    models.Q(("candidate__range", (1, 3)), ("kind", "SET_EVIDENCE")),
                    _connector="OR",
                ),
                name="decision_candidate_is_evidence",
            ),
        ),
        migrations.AddConstraint(
            model_name="candidatesearch",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("ended_at__isnull", True),
                        ("lease_until__isnull", False),
                        ("state", "RUNNING"),
                    ),
                    models.Q(
                        ("ended_at__isnull", False),
                        ("lease_until__isnull", True),
                        ("state", "DONE"),
                    ),
                    _connector="OR",
                ),
                name="candidatesearch_leased_iff_running",
            ),
        ),
        migrations.AddConstraint(
            model_name="candidatesearch",
            constraint=models.CheckConstraint(
                condition=models.Q(("attempts__lte", 3)), name="candidatesearch_attempts_bounded"
            ),
        ),
        migrations.AddField(
            model_name="candidateturns",
            name="call",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="candidate_turns",
                to="review.call",
            ),
        ),
        migrations.AddConstraint(
            model_name="catalogwording",
            constraint=models.UniqueConstraint(
                fields=("catalog_digest", "model_digest", "texts_digest"),
                name="catalogwording_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="catalogwording",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("catalog_digest__regex", "^[0-9a-f]{64}$"),
                    ("model_digest__regex", "^[0-9a-f]{64}$"),
                    ("texts_digest__regex", "^[0-9a-f]{64}$"),
                ),
                name="catalogwording_digest_form",
            ),
        ),
        migrations.AddConstraint(
            model_name="candidateturns",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("model_digest__regex", "^[0-9a-f]{64}$"),
                    ("texts_digest__regex", "^[0-9a-f]{64}$"),
                ),
                name="candidateturns_digest_form",
            ),
        ),
        migrations.RunSQL(GUARDS, FORMER),
    ]
