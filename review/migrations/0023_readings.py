"""Blind readings: who reads what, their answers (insert-only), and the shares that sites have read.

A reading that is over never changes, by trigger.
"""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

GUARD = """
create trigger refuse_change before update or delete on review_readinganswer
  for each row execute function review_refuse_change();
alter table review_readinganswer enable always trigger refuse_change;
create function review_guard_reading() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a reading is never deleted' using errcode = '42501';
  end if;
  if old.state in ('DONE', 'ENDED') then
    raise exception 'a reading that is over never changes' using errcode = '42501';
  end if;
  if (new.id, new.call_id, new.kind, new.review, new.transcript_revision, new.catalog_digest,
      new.phases, new.drawn_at)
     is distinct from
     (old.id, old.call_id, old.kind, old.review, old.transcript_revision, old.catalog_digest,
      old.phases, old.drawn_at)
     or (old.reader_id is not null and new.reader_id is distinct from old.reader_id) then
    raise exception 'what is read, and by whom, does not change' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger review_reading_guard before update or delete on review_reading
  for each row execute function review_guard_reading();
alter table review_reading enable always trigger review_reading_guard;
"""
UNGUARD = """
drop trigger review_reading_guard on review_reading;
drop function review_guard_reading();
drop trigger refuse_change on review_readinganswer;
"""

# Of calls of the sample that nobody has read yet, lists say nothing from now on.
UNSAY = """
update review_call set coverage = null, order_safe = null, call_success = null, focus_turn = null,
  flagged = 0, critical = 0, row_flags = '{}', queue_edge = null
where queue_class = 4
  and state in ('AWAITING_REVIEW', 'IN_REVIEW', 'AWAITING_SECOND_READER', 'REOPENED');
"""


class Migration(migrations.Migration):
    dependencies = [
        ("catalogs", "0002_guards"),
        ("people", "0002_administration"),
        ("review", "0022_masking_and_figures"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Reading",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("DOUBLE", "double reading"),
                            ("CRITICAL", "double reading of safety-critical rows"),
                            ("SAMPLE", "random sample"),
                            ("DRIFT", "second reading of a signed call"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("WAITING", "waits for a reader"),
                            ("OPEN", "is being read"),
                            ("DONE", "done"),
                            ("ENDED", "ended without a result"),
                        ],
                        max_length=16,
                    ),
                ),
                ("review", models.PositiveIntegerField()),
                ("transcript_revision", models.PositiveIntegerField()),
                ("catalog_digest", models.CharField(max_length=64)),
                (
                    "phases",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=200), size=None
                    ),
                ),
                ("drawn_at", models.DateTimeField()),
                ("opened_at", models.DateTimeField(null=True)),
                ("held_until", models.DateTimeField(null=True)),
                ("done_at", models.DateTimeField(null=True)),
                ("decisions", models.PositiveIntegerField(null=True)),
                ("compared", models.JSONField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "ended_why",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("GIVEN_BACK", "given back"),
                            ("EXPIRED", "left by its reader, and taken by another"),
                            ("CALLED_OFF", "called off"),
                            ("TRANSCRIPT", "the transcript was revised"),
                            ("REOPENED", "the call was reopened"),
                            ("WITHDRAWN", "the call was withdrawn"),
                        ],
                        db_default="",
                        default="",
                        max_length=16,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ReadingAnswer",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("number", models.PositiveIntegerField()),
                ("phase", models.CharField(max_length=200)),
                ("value", models.JSONField()),
                ("key", models.UUIDField()),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="SiteShares",
            fields=[
                (
                    "site",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="reading_shares",
                        serialize=False,
                        to="people.site",
                    ),
                ),
                ("double", models.PositiveSmallIntegerField()),
                ("critical", models.PositiveSmallIntegerField()),
                ("drift", models.PositiveSmallIntegerField()),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="call",
            name="call_queue_class_known",
        ),
        migrations.RemoveConstraint(
            model_name="callnote",
            name="callnote_kind_known",
        ),
        migrations.AddField(
            model_name="call",
            name="second_reading",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "no blind reading"),
                    ("WAITING", "waits for a blind reader"),
                    ("OPEN", "is being read blind"),
                    ("DIFFERENT", "readings differ"),
                    ("DONE", "read twice"),
                ],
                db_default="",
                default="",
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="call",
            name="queue_class",
            field=models.PositiveSmallIntegerField(
                choices=[
                    (1, "order at stake"),
                    (2, "safety-critical"),
                    (3, "ambiguous"),
                    (4, "sample, blind"),
                    (5, "in doubt"),
                    (6, "second person"),
                    (7, "ready to sign"),
                    (8, "second reading, blind"),
                    (9, "readings differ"),
                ],
                null=True,
            ),
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
                ],
                max_length=16,
            ),
        ),
        migrations.AddConstraint(
            model_name="call",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("queue_class__isnull", True),
                    ("queue_class__in", [1, 2, 3, 4, 5, 6, 7, 8, 9]),
                    _connector="OR",
                ),
                name="call_queue_class_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="call",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("second_reading__in", ["", "WAITING", "OPEN", "DIFFERENT", "DONE"])
                ),
                name="call_second_reading_known",
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
                        ],
                    )
                ),
                name="callnote_kind_known",
            ),
        ),
        migrations.AddField(
            model_name="reading",
            name="call",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="readings",
                to="review.call",
            ),
        ),
        migrations.AddField(
            model_name="reading",
            name="reader",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="readinganswer",
            name="reading",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="answers",
                to="review.reading",
            ),
        ),
        migrations.AddConstraint(
            model_name="siteshares",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("critical__lte", 100), ("double__lte", 100), ("drift__lte", 100)
                ),
                name="siteshares_percent",
            ),
        ),
        migrations.AddIndex(
            model_name="reading",
            index=models.Index(
                condition=models.Q(("state__in", ("WAITING", "OPEN"))),
                fields=["drawn_at", "id"],
                name="reading_wanted",
            ),
        ),
        migrations.AddConstraint(
            model_name="reading",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ("WAITING", "OPEN"))),
                fields=("call",),
                name="reading_one_at_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="reading",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("kind__in", ["DOUBLE", "CRITICAL", "SAMPLE", "DRIFT"]),
                    ("state__in", ["WAITING", "OPEN", "DONE", "ENDED"]),
                    ("catalog_digest__regex", "^[0-9a-f]{64}$"),
                ),
                name="reading_codes_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="reading",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("opened_at__isnull", True), ("reader__isnull", True), ("state", "WAITING")
                    ),
                    models.Q(
                        ("held_until__isnull", False),
                        ("opened_at__isnull", False),
                        ("reader__isnull", False),
                        ("state__in", ("OPEN", "DONE")),
                    ),
                    ("state", "ENDED"),
                    _connector="OR",
                ),
                name="reading_has_reader",
            ),
        ),
        migrations.AddConstraint(
            model_name="reading",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("compared__isnull", False),
                        ("decisions__isnull", False),
                        ("done_at__isnull", False),
                        ("state", "DONE"),
                    ),
                    models.Q(
                        models.Q(("state", "DONE"), _negated=True),
                        ("compared__isnull", True),
                        ("decisions__isnull", True),
                        ("done_at__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="reading_done_has_result",
            ),
        ),
        migrations.AddConstraint(
            model_name="reading",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("ended_at__isnull", False),
                        (
                            "ended_why__in",
                            [
                                "GIVEN_BACK",
                                "EXPIRED",
                                "CALLED_OFF",
                                "TRANSCRIPT",
                                "REOPENED",
                                "WITHDRAWN",
                            ],
                        ),
                        ("state", "ENDED"),
                    ),
                    models.Q(
                        models.Q(("state", "ENDED"), _negated=True),
                        ("ended_at__isnull", True),
                        ("ended_why", ""),
                    ),
                    _connector="OR",
                ),
                name="reading_ended_says_why",
            ),
        ),
        migrations.AddConstraint(
            model_name="readinganswer",
            constraint=models.UniqueConstraint(
                fields=("reading", "number"), name="readinganswer_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="readinganswer",
            constraint=models.UniqueConstraint(
                fields=("reading", "key"), name="readinganswer_key_once"
            ),
        ),
        migrations.RunSQL(GUARD, UNGUARD),
        migrations.RunSQL(UNSAY, migrations.RunSQL.noop),
    ]
