"""Reveals of masked identifiers, of which by trigger nothing changes but the end; indexes that
figures of a span of days are read by.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

GUARD = """
create function review_guard_reveal() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a reveal is never deleted' using errcode = '42501';
  end if;
  if (new.id, new.call_id, new.by_id, new.why, new.at, new.until)
     is distinct from (old.id, old.call_id, old.by_id, old.why, old.at, old.until) then
    raise exception 'what was revealed, to whom and why does not change' using errcode = '42501';
  end if;
  if old.hidden_at is not null then
    raise exception 'a reveal ends once' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger review_reveal_guard before update or delete on review_reveal
  for each row execute function review_guard_reveal();
"""
UNGUARD = """
drop trigger review_reveal_guard on review_reveal;
drop function review_guard_reveal();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("review", "0020_signoffs_and_audits"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Reveal",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                (
                    "why",
                    models.CharField(
                        choices=[
                            ("JUDGE", "a row cannot be judged without them"),
                            ("MATCH", "the call must be matched with another record"),
                            ("COMPLAINT", "a complaint or an incident"),
                            ("CHECK", "a check of the masking itself"),
                            ("OTHER", "another reason"),
                        ],
                        max_length=16,
                    ),
                ),
                ("at", models.DateTimeField()),
                ("until", models.DateTimeField()),
                ("hidden_at", models.DateTimeField(null=True)),
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
                    ("REVEALED", "had identifiers shown"),
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
                            "REVEALED",
                        ],
                    )
                ),
                name="callnote_kind_known",
            ),
        ),
        migrations.AddField(
            model_name="reveal",
            name="by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="reveal",
            name="call",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="reveals",
                to="review.call",
            ),
        ),
        migrations.AddIndex(
            model_name="reveal",
            index=models.Index(fields=["call", "by", "-until"], name="reveal_of_person"),
        ),
        migrations.AddConstraint(
            model_name="reveal",
            constraint=models.CheckConstraint(
                condition=models.Q(("why__in", ["JUDGE", "MATCH", "COMPLAINT", "CHECK", "OTHER"])),
                name="reveal_why_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="reveal",
            constraint=models.CheckConstraint(
                condition=models.Q(("until__gt", models.F("at"))), name="reveal_ends"
            ),
        ),
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(
                fields=["at"], include=("call", "phase", "by", "spent_ms"), name="decision_by_time"
            ),
        ),
        migrations.AddIndex(
            model_name="decision",
            index=models.Index(
                condition=models.Q(("evidence_seen", False), ("kind", "CONFIRM")),
                fields=["at"],
                name="decision_unseen",
            ),
        ),
        migrations.AddIndex(
            model_name="phaserow",
            index=models.Index(
                condition=models.Q(("standing", "CONFIRMED")),
                fields=["decided_at"],
                name="phaserow_settled",
            ),
        ),
        migrations.RunSQL(GUARD, UNGUARD),
    ]
