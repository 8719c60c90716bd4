"""Signings under way, the proofs of identity tried for them, and reasons for reopening a call."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

GUARD = """
create function review_guard_signing() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a signing is never deleted' using errcode = '42501';
  end if;
  if (new.id, new.call_id, new.by_id, new.session, new.number, new.evaluation_id, new.record,
      new.digest, new.sealed_inputs, new.at, new.expires_at)
     is distinct from
     (old.id, old.call_id, old.by_id, old.session, old.number, old.evaluation_id, old.record,
      old.digest, old.sealed_inputs, old.at, old.expires_at) then
    raise exception 'what is to be signed does not change' using errcode = '42501';
  end if;
  if old.used_at is not null then
    raise exception 'a signing is used once' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger review_signing_guard before update or delete on review_signingintent
  for each row execute function review_guard_signing();
alter table review_signingintent enable always trigger review_signing_guard;
create trigger refuse_change before update or delete on review_signingproof
  for each row execute function review_refuse_change();
alter table review_signingproof enable always trigger refuse_change;
"""
UNGUARD = """
drop trigger refuse_change on review_signingproof;
drop trigger review_signing_guard on review_signingintent;
drop function review_guard_signing();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("review", "0010_queue"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="SigningIntent",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("session", models.CharField(max_length=64)),
                ("number", models.PositiveIntegerField()),
                ("record", models.BinaryField(max_length=16384)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("sealed_inputs", models.BinaryField()),
                ("at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="SigningProof",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("session", models.CharField(max_length=64)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("PASSWORD", "password"),
                            ("TOTP", "code of the authenticator app"),
                            ("PASSKEY", "passkey"),
                        ],
                        max_length=16,
                    ),
                ),
                ("right", models.BooleanField()),
                ("step", models.BigIntegerField(null=True)),
                ("key_digest", models.CharField(blank=True, default="", max_length=64)),
                ("counter", models.BigIntegerField(null=True)),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="callnote",
            name="callnote_kind_known",
        ),
        migrations.AlterField(
            model_name="callnote",
            name="kind",
            field=models.CharField(
                choices=[
                    ("SENT_BACK", "sent back to mapping"),
                    ("WITHDRAWN", "withdrawn"),
                    ("REOPEN_ASKED", "asked to have it reopened"),
                    ("REOPENED", "reopened"),
                    ("REOPEN_DECLINED", "declined to reopen it"),
                    ("SKIPPED", "passed over in the queue"),
                    ("TAKEN_OVER", "taken over from its reader"),
                    ("RELEASED", "released from its reader"),
                ],
                max_length=16,
            ),
        ),
        migrations.AddConstraint(
            model_name="callnote",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "SENT_BACK",
                            "WITHDRAWN",
                            "REOPEN_ASKED",
                            "REOPENED",
                            "REOPEN_DECLINED",
                            "SKIPPED",
                            "TAKEN_OVER",
                            "RELEASED",
                        ],
                    )
                ),
                name="callnote_kind_known",
            ),
        ),
        migrations.AddField(
            model_name="signingintent",
            name="by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="signingintent",
            name="call",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="signing_intents",
                to="review.call",
            ),
        ),
        migrations.AddField(
            model_name="signingintent",
            name="evaluation",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="review.evaluation",
            ),
        ),
        migrations.AddField(
            model_name="signingproof",
            name="by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddIndex(
            model_name="signingintent",
            index=models.Index(
                condition=models.Q(("used_at__isnull", False)),
                fields=["by", "session", "-used_at"],
                name="signingintent_used",
            ),
        ),
        migrations.AddConstraint(
            model_name="signingintent",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("digest__regex", "^[0-9a-f]{64}$"), ("session__regex", "^[0-9a-f]{64}$")
                ),
                name="signingintent_digests_form",
            ),
        ),
        migrations.AddConstraint(
            model_name="signingintent",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("used_at", None),
                    models.Q(
                        ("used_at__gte", models.F("at")), ("used_at__lte", models.F("expires_at"))
                    ),
                    _connector="OR",
                ),
                name="signingintent_used_in_time",
            ),
        ),
        migrations.AddIndex(
            model_name="signingproof",
            index=models.Index(fields=["by", "-id"], name="signingproof_latest"),
        ),
        migrations.AddConstraint(
            model_name="signingproof",
            constraint=models.UniqueConstraint(
                condition=models.Q(("step__isnull", False)),
                fields=("by", "step"),
                name="signingproof_code_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="signingproof",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["PASSWORD", "TOTP", "PASSKEY"])),
                name="signingproof_kind_known",
            ),
        ),
        migrations.RunSQL(GUARD, UNGUARD),
    ]
