"""Disputes of signed calls, which by trigger end once, and never by who signed."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

GUARD = """
create function review_guard_dispute() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a dispute is never deleted' using errcode = '42501';
  end if;
  if (new.id, new.signoff_id, new.kind, new.phase, new.result, new.note, new.by_id, new.at, new.due)
     is distinct from
     (old.id, old.signoff_id, old.kind, old.phase, old.result, old.note, old.by_id, old.at, old.due)
  then
    raise exception 'what is disputed does not change' using errcode = '42501';
  end if;
  if old."end" <> '' then
    raise exception 'a dispute ends once' using errcode = '42501';
  end if;
  if new."end" in ('UPHELD', 'OVERTURNED') and exists(
       select from review_signoff where id = new.signoff_id and by_id = new.ended_by_id) then
    raise exception 'who signed does not answer' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger review_dispute_guard before update or delete on review_dispute
  for each row execute function review_guard_dispute();
alter table review_dispute enable always trigger review_dispute_guard;
"""
UNGUARD = """
drop trigger review_dispute_guard on review_dispute;
drop function review_guard_dispute();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("review", "0028_second_person_for_audits"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Dispute",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("VERDICT", "the verdict is wrong"),
                            ("EVIDENCE", "evidence is wrong or missing"),
                            ("TRANSCRIPT", "the transcript is wrong"),
                            ("CATALOG", "the catalog does not fit the call"),
                        ],
                        max_length=16,
                    ),
                ),
                ("phase", models.CharField(blank=True, default="", max_length=200)),
                (
                    "result",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("CALL_SUCCESS", "CallSuccess"),
                            ("COVERAGE", "Coverage"),
                            ("ORDER_SAFE", "OrderSafe"),
                        ],
                        default="",
                        max_length=16,
                    ),
                ),
                ("note", models.PositiveIntegerField()),
                ("at", models.DateTimeField()),
                ("due", models.DateTimeField()),
                (
                    "end",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("UPHELD", "upheld: it stands as signed"),
                            ("OVERTURNED", "overturned: what was signed is wrong"),
                            ("WITHDRAWN", "withdrawn"),
                            ("ERASED", "ended when the call was erased"),
                        ],
                        default="",
                        max_length=16,
                    ),
                ),
                ("answer_note", models.PositiveIntegerField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
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
                    ("NOT_READ_TWICE", "called the blind reading off"),
                    ("REVEALED", "had identifiers shown"),
                    ("DISPUTED", "disputed what was signed"),
                    ("DISPUTE_ANSWERED", "answered a dispute"),
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
                            "NOT_READ_TWICE",
                            "REVEALED",
                            "DISPUTED",
                            "DISPUTE_ANSWERED",
                        ],
                    )
                ),
                name="callnote_kind_known",
            ),
        ),
        migrations.AddField(
            model_name="dispute",
            name="by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="dispute",
            name="ended_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="dispute",
            name="signoff",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="disputes",
                to="review.signoff",
            ),
        ),
        migrations.AddIndex(
            model_name="dispute",
            index=models.Index(fields=["-at", "-id"], name="dispute_latest"),
        ),
        migrations.AddIndex(
            model_name="dispute",
            index=models.Index(
                condition=models.Q(("end", "")), fields=["due"], name="dispute_waiting"
            ),
        ),
        migrations.AddConstraint(
            model_name="dispute",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["VERDICT", "EVIDENCE", "TRANSCRIPT", "CATALOG"])),
                name="dispute_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="dispute",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("result", ""), models.Q(("phase", ""), _negated=True)),
                    models.Q(
                        ("phase", ""), ("result__in", ["CALL_SUCCESS", "COVERAGE", "ORDER_SAFE"])
                    ),
                    _connector="OR",
                ),
                name="dispute_says_of_what",
            ),
        ),
        migrations.AddConstraint(
            model_name="dispute",
            constraint=models.UniqueConstraint(
                condition=models.Q(("end", "")), fields=("signoff",), name="dispute_one_waits"
            ),
        ),
        migrations.AddConstraint(
            model_name="dispute",
            constraint=models.CheckConstraint(
                condition=models.Q(("due__gt", models.F("at"))), name="dispute_due_later"
            ),
        ),
        migrations.AddConstraint(
            model_name="dispute",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("answer_note", None), ("end", ""), ("ended_at", None), ("ended_by", None)
                    ),
                    models.Q(("answer_note", None), ("end", "ERASED"), ("ended_at__isnull", False)),
                    models.Q(
                        ("answer_note", None),
                        ("end", "WITHDRAWN"),
                        ("ended_at__isnull", False),
                        ("ended_by", models.F("by")),
                    ),
                    models.Q(
                        ("answer_note__isnull", False),
                        ("end__in", ("UPHELD", "OVERTURNED")),
                        ("ended_at__isnull", False),
                        ("ended_by__isnull", False),
                        models.Q(("ended_by", models.F("by")), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="dispute_end_is_whole",
            ),
        ),
        migrations.RunSQL(GUARD, UNGUARD),
    ]
