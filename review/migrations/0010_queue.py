"""The reviewers' queue: a call's class in it, who holds and who is to read it, and notices of holds.

Calls that are there already get their class; the draw of the blind sample is as of this migration.
"""

import hashlib
import hmac

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

CLASSES = """
with asked as (
  select r.call_id, r.position, r.phase, f.code, f.place,
         case f.code when 'ORDER_VIOLATION' then 0 when 'ORDER_UNCERTAIN' then 1
                     when 'SAFETY_CRITICAL' then 2 else 3 end as rank
    from review_phaserow r, unnest(r.flags) with ordinality as f(code, place)
   where r.standing = 'PROPOSED'
), first as (
  select distinct on (call_id) call_id, phase, code, rank from asked
   order by call_id, rank, position, place
), doubt as (
  select distinct on (call_id) call_id, phase from review_phaserow where standing = 'DOUBTED'
   order by call_id, position
), second as (
  select distinct on (call_id) call_id, phase from review_phaserow where needs_second
   order by call_id, position
)
update review_call c
   set queue_class = case when f.rank in (0, 1) then 1 when f.rank = 2 then 2 when f.rank = 3 then 3
                          when d.phase is not null then 5 when s.phase is not null then 6
                          else 7 end,
       queue_phase = coalesce(f.phase, d.phase, s.phase, ''),
       queue_code = coalesce(f.code, '')
  from review_call k
  left join first f on f.call_id = k.id
  left join doubt d on d.call_id = k.id
  left join second s on s.call_id = k.id
 where k.id = c.id and c.coverage is not null
"""
EDGES = """
update review_call c set queue_edge = e.edge
  from (select distinct on (call_id) call_id, (
          select jsonb_build_object(
                   'parent', x -> 'parent', 'child', x -> 'child', 'ok', x -> 'ok',
                   'finish', x -> 'parent_finish', 'start', x -> 'child_start',
                   'same_turn', x ->> 'policy' = '<=')
            from jsonb_array_elements(report::jsonb -> 'edges') with ordinality as t(x, place)
           where (x ->> 'critical')::boolean and x ->> 'ok' is distinct from 'true'
           order by x ->> 'ok' is null, place limit 1) as edge
          from review_evaluation
         order by call_id, decision_id desc nulls last, made_at desc, id desc) e
 where e.call_id = c.id and c.coverage is not null
"""
_AT_ONCE = 1000


def fill_classes(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Give every judged call its class, as the actions do from now on."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(CLASSES)
        cursor.execute(EDGES)
    Call = apps.get_model("review", "Call")
    PhaseRow = apps.get_model("review", "PhaseRow")
    undecided = PhaseRow.objects.filter(call=models.OuterRef("pk"), standing="PROPOSED")
    unflagged = Call.objects.filter(models.Exists(undecided), coverage__isnull=False, flagged=0)
    drawn = [pk for pk in unflagged.values_list("pk", flat=True).iterator() if _is_drawn(pk.bytes)]
    for first in range(0, len(drawn), _AT_ONCE):
        batch = drawn[first : first + _AT_ONCE]
        Call.objects.filter(pk__in=batch).update(queue_class=4, queue_phase="", queue_code="")


def _is_drawn(call_id: bytes) -> bool:
    key = hashlib.sha256(b"oip-sce/sample-key/v1\0" + settings.SECRET_KEY.encode()).digest()
    drawn = hmac.new(key, b"oip-sce/sample/v1\0" + call_id, hashlib.sha256).digest()
    return int.from_bytes(drawn[:8], "big") * 100 < 5 << 64


class Migration(migrations.Migration):
    dependencies = [
        ("catalogs", "0002_guards"),
        ("people", "0002_administration"),
        ("review", "0009_prefixes_of_indexes"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="HoldNotice",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("ENDED", "claimed it after your hold had ended"),
                            ("TAKEN_OVER", "took it over"),
                            ("RELEASED", "released it"),
                        ],
                        max_length=16,
                    ),
                ),
                ("held_until", models.DateTimeField()),
                ("at", models.DateTimeField()),
                ("seen_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="callnote",
            name="callnote_kind_known",
        ),
        migrations.AddField(
            model_name="call",
            name="assigned_to",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="call",
            name="held_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="call",
            name="held_until",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="call",
            name="hold_key",
            field=models.UUIDField(null=True),
        ),
        migrations.AddField(
            model_name="call",
            name="hold_number",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
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
                ],
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="call",
            name="queue_code",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
        migrations.AddField(
            model_name="call",
            name="queue_edge",
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name="call",
            name="queue_phase",
            field=models.CharField(blank=True, db_default="", default="", max_length=200),
        ),
        migrations.AlterField(
            model_name="callnote",
            name="kind",
            field=models.CharField(
                choices=[
                    ("SENT_BACK", "sent back to mapping"),
                    ("WITHDRAWN", "withdrawn"),
                    ("SKIPPED", "passed over in the queue"),
                    ("TAKEN_OVER", "taken over from its reader"),
                    ("RELEASED", "released from its reader"),
                ],
                max_length=16,
            ),
        ),
        migrations.AddIndex(
            model_name="call",
            index=models.Index(
                condition=models.Q(
                    ("queue_class__isnull", False),
                    (
                        "state__in",
                        ["AWAITING_REVIEW", "IN_REVIEW", "AWAITING_SECOND_READER", "REOPENED"],
                    ),
                ),
                fields=["queue_class", "received_at", "id"],
                include=("site", "catalog_version", "call_success"),
                name="call_in_queue",
            ),
        ),
        migrations.AddIndex(
            model_name="call",
            index=models.Index(
                condition=models.Q(
                    ("queue_class__isnull", False),
                    (
                        "state__in",
                        ["AWAITING_REVIEW", "IN_REVIEW", "AWAITING_SECOND_READER", "REOPENED"],
                    ),
                ),
                fields=["site", "queue_class", "received_at", "id"],
                name="call_in_queue_of_site",
            ),
        ),
        migrations.AddIndex(
            model_name="call",
            index=models.Index(
                condition=models.Q(("held_by__isnull", False)),
                fields=["held_by", "held_until"],
                name="call_held",
            ),
        ),
        migrations.AddIndex(
            model_name="call",
            index=models.Index(
                condition=models.Q(("assigned_to__isnull", False)),
                fields=["assigned_to"],
                name="call_assigned",
            ),
        ),
        migrations.AddIndex(
            model_name="callnote",
            index=models.Index(
                condition=models.Q(("kind", "SKIPPED")),
                fields=["by", "call"],
                name="callnote_skips",
            ),
        ),
        migrations.AddConstraint(
            model_name="call",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("queue_class__isnull", True),
                    ("queue_class__in", [1, 2, 3, 4, 5, 6, 7]),
                    _connector="OR",
                ),
                name="call_queue_class_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="call",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("held_by__isnull", True), ("held_until__isnull", True)),
                    models.Q(
                        ("held_by__isnull", False),
                        ("held_until__isnull", False),
                        ("hold_number__gte", 1),
                    ),
                    _connector="OR",
                ),
                name="call_hold_has_end",
            ),
        ),
        migrations.AddConstraint(
            model_name="callnote",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("kind__in", ["SENT_BACK", "WITHDRAWN", "SKIPPED", "TAKEN_OVER", "RELEASED"])
                ),
                name="callnote_kind_known",
            ),
        ),
        migrations.AddField(
            model_name="holdnotice",
            name="by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="holdnotice",
            name="call",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="hold_notices",
                to="review.call",
            ),
        ),
        migrations.AddField(
            model_name="holdnotice",
            name="to",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddIndex(
            model_name="holdnotice",
            index=models.Index(
                condition=models.Q(("seen_at__isnull", True)),
                fields=["to", "at"],
                name="holdnotice_unseen",
            ),
        ),
        migrations.AddConstraint(
            model_name="holdnotice",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["ENDED", "TAKEN_OVER", "RELEASED"])),
                name="holdnotice_kind_known",
            ),
        ),
        migrations.RunPython(fill_classes, migrations.RunPython.noop, elidable=True),
        # PostgreSQL alters no table whose deferred checks are still to come, and the foreign keys of
        # the new columns are added last.
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", migrations.RunSQL.noop),
    ]
