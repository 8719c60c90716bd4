"""Sign-offs and exports of signed audits; what was signed is guarded by a trigger."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

GUARD = """
create function review_guard_signoff() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a sign-off is never deleted' using errcode = '42501';
  end if;
  if (new.id, new.call_id, new.number, new.review, new.evaluation_id, new.record, new.digest,
      new.assertion, new.sealed_inputs, new.seq, new.by_id, new.at)
     is distinct from
     (old.id, old.call_id, old.number, old.review, old.evaluation_id, old.record, old.digest,
      old.assertion, old.sealed_inputs, old.seq, old.by_id, old.at) then
    raise exception 'what was signed does not change' using errcode = '42501';
  end if;
  if old.void_at is not null then
    raise exception 'a signature ends once' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger review_signoff_guard before update or delete on review_signoff
  for each row execute function review_guard_signoff();
"""
UNGUARD = """
drop trigger review_signoff_guard on review_signoff;
drop function review_guard_signoff();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0002_administration"),
        ("review", "0015_signing"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AuditExport",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                (
                    "profile",
                    models.CharField(
                        choices=[
                            ("FULL", "full"),
                            ("MINIMUM", "minimum"),
                            ("DEIDENTIFIED", "de-identified"),
                        ],
                        max_length=16,
                    ),
                ),
                ("first_date", models.DateField(null=True)),
                ("last_date", models.DateField(null=True)),
                ("catalog", models.CharField(blank=True, default="", max_length=64)),
                ("verdict", models.CharField(blank=True, default="", max_length=16)),
                ("recipient", models.CharField(max_length=300)),
                ("purpose", models.CharField(max_length=1000)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("QUEUED", "waiting"),
                            ("RUNNING", "being built"),
                            ("DONE", "done"),
                            ("FAILED", "failed"),
                        ],
                        max_length=8,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("lease_until", models.DateTimeField(null=True)),
                ("calls_done", models.PositiveIntegerField(default=0)),
                ("calls", models.PositiveIntegerField(default=0)),
                ("failure", models.TextField(blank=True, default="")),
                ("secret", models.BinaryField(max_length=32)),
                ("nonce", models.BinaryField(max_length=32)),
                ("wrapped_key", models.BinaryField(max_length=400)),
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
                ("requested_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(null=True)),
                ("built_at", models.DateTimeField(null=True)),
                ("epoch", models.PositiveIntegerField(null=True)),
                ("size", models.BigIntegerField(null=True)),
                ("universe", models.JSONField(default=dict)),
                ("digest", models.CharField(blank=True, default="", max_length=64)),
                ("bytes", models.BigIntegerField(default=0)),
                (
                    "requested_by",
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
                        related_name="exports",
                        to="people.site",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="AuditPiece",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("attempt", models.PositiveSmallIntegerField()),
                ("position", models.PositiveIntegerField()),
                ("sealed", models.BinaryField()),
                (
                    "export",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pieces",
                        to="review.auditexport",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SignOff",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("number", models.PositiveIntegerField()),
                ("review", models.PositiveIntegerField()),
                ("record", models.BinaryField(max_length=16384)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("assertion", models.JSONField(null=True)),
                ("sealed_inputs", models.BinaryField()),
                ("seq", models.BigIntegerField()),
                ("at", models.DateTimeField()),
                (
                    "void_why",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("CHANGED", "changed"),
                            ("REOPENED", "reopened"),
                            ("WITHDRAWN", "withdrawn"),
                        ],
                        default="",
                        max_length=16,
                    ),
                ),
                ("void_at", models.DateTimeField(null=True)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "call",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="signoffs",
                        to="review.call",
                    ),
                ),
                (
                    "evaluation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="signoffs",
                        to="review.evaluation",
                    ),
                ),
                (
                    "void_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="auditexport",
            index=models.Index(fields=["site", "-requested_at"], name="auditexport_latest"),
        ),
        migrations.AddIndex(
            model_name="auditexport",
            index=models.Index(
                condition=models.Q(("state__in", ("QUEUED", "RUNNING"))),
                fields=["requested_at"],
                name="auditexport_waiting",
            ),
        ),
        migrations.AddConstraint(
            model_name="auditexport",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("profile__in", ["FULL", "MINIMUM", "DEIDENTIFIED"]),
                    ("state__in", ["QUEUED", "RUNNING", "DONE", "FAILED"]),
                    ("verdict__in", ("", "PASS", "FAIL", "UNDETERMINED")),
                ),
                name="auditexport_codes_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="auditexport",
            constraint=models.CheckConstraint(
                condition=models.Q(("purpose__regex", "\\S"), ("recipient__regex", "\\S")),
                name="auditexport_says_for_whom_and_why",
            ),
        ),
        migrations.AddConstraint(
            model_name="auditexport",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("lease_until__isnull", False), ("state", "RUNNING")),
                    models.Q(
                        models.Q(("state", "RUNNING"), _negated=True), ("lease_until__isnull", True)
                    ),
                    _connector="OR",
                ),
                name="auditexport_lease_iff_running",
            ),
        ),
        migrations.AddConstraint(
            model_name="auditexport",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state", "DONE"), _negated=True),
                    models.Q(
                        ("built_at__isnull", False),
                        ("digest__regex", "^[0-9a-f]{64}$"),
                        ("epoch__isnull", False),
                        ("finished_at__isnull", False),
                        ("size__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="auditexport_done_has_file",
            ),
        ),
        migrations.AddConstraint(
            model_name="auditpiece",
            constraint=models.UniqueConstraint(
                fields=("export", "attempt", "position"), name="auditpiece_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="signoff",
            constraint=models.UniqueConstraint(fields=("call", "number"), name="signoff_once"),
        ),
        migrations.AddConstraint(
            model_name="signoff",
            constraint=models.UniqueConstraint(
                condition=models.Q(("void_at", None)), fields=("call",), name="signoff_one_stands"
            ),
        ),
        migrations.AddConstraint(
            model_name="signoff",
            constraint=models.CheckConstraint(
                condition=models.Q(("digest__regex", "^[0-9a-f]{64}$")), name="signoff_digest_form"
            ),
        ),
        migrations.AddConstraint(
            model_name="signoff",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("void_at", None), ("void_by", None), ("void_why", "")),
                    models.Q(
                        ("void_at__isnull", False),
                        ("void_by__isnull", False),
                        ("void_why__in", ["CHANGED", "REOPENED", "WITHDRAWN"]),
                    ),
                    _connector="OR",
                ),
                name="signoff_void_says_why",
            ),
        ),
        migrations.RunSQL(GUARD, UNGUARD),
    ]
