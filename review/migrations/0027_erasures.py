"""Erasures, legal holds and rules of retention; the guards let an erased call lose its words."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# What an erased call may lose, and nothing else: each table's columns with what they become.
_EMPTIED = """
create function review_emptied(of_table text, was jsonb) returns jsonb
language sql immutable set search_path = pg_catalog, public, pg_temp as $$
  select was || case of_table
    when 'review_evaluation' then '{"report": ""}'::jsonb
    when 'review_proposedrow' then '{"row": {}}'::jsonb
    when 'review_transcriptrevision' then
      '{"attributes": {}, "speakers": [], "flags": [], "findings": []}'::jsonb
    when 'review_decision' then '{"value": {}}'::jsonb ||
      case when was->'sealed' = 'null'::jsonb then '{}'::jsonb
           else jsonb_build_object('sealed', ''::bytea, 'sealed_nonce', ''::bytea) end
    when 'review_signoff' then jsonb_build_object('sealed_inputs', ''::bytea)
    when 'review_signingintent' then jsonb_build_object('sealed_inputs', ''::bytea)
  end
$$;

create function review_is_erased(was jsonb) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists(select from review_call where erased_at is not null and id = coalesce(
    (was->>'call_id')::uuid,
    (select run.call_id from review_prefillrun run where run.id = (was->>'run_id')::uuid)))
$$;
"""
_REFUSE = """
create or replace function review_refuse_change() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
{allowed}  raise exception '% is append-only (% refused)', tg_table_name, tg_op using errcode = '42501';
end $$;
"""
_ALLOWED = """  if tg_op = 'DELETE' then
    if tg_table_name in ('review_turn', 'review_event', 'review_callnote')
       and review_is_erased(to_jsonb(old)) then
      return old;
    end if;
  elsif to_jsonb(new) = review_emptied(tg_table_name, to_jsonb(old))
        and review_is_erased(to_jsonb(old)) then
    return new;
  end if;
"""
_CALL = """
create or replace function review_guard_call() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a call is never deleted; erase its key to erase its words'
      using errcode = '42501';
  end if;
  if (new.id, new.site_id, new.source, new.external_id, new.source_sha256, new.received_at)
     is distinct from
     (old.id, old.site_id, old.source, old.external_id, old.source_sha256, old.received_at) then
    raise exception 'where a call came from does not change' using errcode = '42501';
  end if;
{erased}  return new;
end $$;
"""
_ERASED = """  if old.erased_at is not null and
     (new.erased_at, new.wrapped_key) is distinct from (old.erased_at, old.wrapped_key) then
    raise exception 'a call is erased once and for ever' using errcode = '42501';
  end if;
  if new.erased_at is not null and old.erased_at is null and exists(
       select from review_legalhold where call_id = old.id and lifted_at is null) then
    raise exception 'a call under a legal hold is not erased' using errcode = '42501';
  end if;
"""
_SIGNOFF = """
create or replace function review_guard_signoff() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a sign-off is never deleted' using errcode = '42501';
  end if;
{allowed}  if (new.id, new.call_id, new.number, new.review, new.evaluation_id, new.record, new.digest,
      new.assertion, new.sealed_inputs, new.seq, new.by_id, new.at, new.together)
     is distinct from
     (old.id, old.call_id, old.number, old.review, old.evaluation_id, old.record, old.digest,
      old.assertion, old.sealed_inputs, old.seq, old.by_id, old.at, old.together) then
    raise exception 'what was signed does not change' using errcode = '42501';
  end if;
  if old.void_at is not null then
    raise exception 'a signature ends once' using errcode = '42501';
  end if;
  return new;
end $$;
"""
_SIGNING = """
create or replace function review_guard_signing() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a signing is never deleted' using errcode = '42501';
  end if;
{allowed}  if (new.id, new.call_id, new.by_id, new.session, new.number, new.evaluation_id, new.record,
      new.digest, new.sealed_inputs, new.at, new.expires_at, new.batch)
     is distinct from
     (old.id, old.call_id, old.by_id, old.session, old.number, old.evaluation_id, old.record,
      old.digest, old.sealed_inputs, old.at, old.expires_at, old.batch) then
    raise exception 'what is to be signed does not change' using errcode = '42501';
  end if;
  if old.used_at is not null then
    raise exception 'a signing is used once' using errcode = '42501';
  end if;
  return new;
end $$;
"""
_EMPTYING = """  if to_jsonb(new) = review_emptied(tg_table_name, to_jsonb(old))
     and review_is_erased(to_jsonb(old)) then
    return new;
  end if;
"""
GUARDS = (
    _EMPTIED
    + _REFUSE.format(allowed=_ALLOWED)
    + _CALL.format(erased=_ERASED)
    + _SIGNOFF.format(allowed=_EMPTYING)
    + _SIGNING.format(allowed=_EMPTYING)
)
FORMER = (
    _REFUSE.format(allowed="")
    + _CALL.format(erased="")
    + _SIGNOFF.format(allowed="")
    + _SIGNING.format(allowed="")
    + "drop function review_emptied(text, jsonb); drop function review_is_erased(jsonb);"
)


class Migration(migrations.Migration):
    dependencies = [
        ("catalogs", "0002_guards"),
        ("people", "0002_administration"),
        ("review", "0026_batches_of_signatures"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Erasure",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                (
                    "ground",
                    models.CharField(
                        choices=[
                            ("PERSON_ASKED", "the person asked for it"),
                            ("RETENTION", "kept for as long as the site keeps calls"),
                            ("MISTAKE", "imported by mistake"),
                            ("CONTRACT", "a contract ended"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("ASKED", "waits for a second person"),
                            ("DONE", "erased"),
                            ("REFUSED", "refused"),
                        ],
                        max_length=8,
                    ),
                ),
                ("asked_at", models.DateTimeField()),
                ("decided_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="LegalHold",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("reason", models.CharField(max_length=500)),
                ("nonce", models.BinaryField(max_length=32)),
                ("placed_at", models.DateTimeField()),
                ("lift_reason", models.CharField(blank=True, default="", max_length=500)),
                ("lifted_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="RetentionRule",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("days", models.PositiveIntegerField()),
                ("most", models.PositiveIntegerField()),
                ("proposed_at", models.DateTimeField()),
                ("approved_at", models.DateTimeField(null=True)),
                ("refused_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.AddField(
            model_name="call",
            name="erased_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddConstraint(
            model_name="call",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("erased_at__isnull", True),
                    models.Q(("title", ""), ("wrapped_key", b"")),
                    _connector="OR",
                ),
                name="call_erased_has_no_key",
            ),
        ),
        migrations.AddField(
            model_name="erasure",
            name="asked_by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="erasure",
            name="call",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="erasures",
                to="review.call",
            ),
        ),
        migrations.AddField(
            model_name="erasure",
            name="decided_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="legalhold",
            name="call",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="legal_holds",
                to="review.call",
            ),
        ),
        migrations.AddField(
            model_name="legalhold",
            name="lifted_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="legalhold",
            name="placed_by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="retentionrule",
            name="approved_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="retentionrule",
            name="proposed_by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="retentionrule",
            name="site",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="retention_rules",
                to="people.site",
            ),
        ),
        migrations.AddConstraint(
            model_name="erasure",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "ASKED")), fields=("call",), name="erasure_one_asked"
            ),
        ),
        migrations.AddConstraint(
            model_name="erasure",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "DONE")), fields=("call",), name="erasure_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="erasure",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("ground__in", ["PERSON_ASKED", "RETENTION", "MISTAKE", "CONTRACT"]),
                    ("state__in", ["ASKED", "DONE", "REFUSED"]),
                ),
                name="erasure_codes_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="erasure",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("decided_at", None), ("decided_by", None), ("state", "ASKED")),
                    models.Q(
                        models.Q(("state", "ASKED"), _negated=True),
                        ("decided_at__isnull", False),
                        models.Q(
                            ("decided_by__isnull", True),
                            models.Q(("decided_by", models.F("asked_by")), _negated=True),
                            _connector="OR",
                        ),
                    ),
                    _connector="OR",
                ),
                name="erasure_decided_by_another",
            ),
        ),
        migrations.AddConstraint(
            model_name="legalhold",
            constraint=models.UniqueConstraint(
                condition=models.Q(("lifted_at", None)),
                fields=("call",),
                name="legalhold_one_stands",
            ),
        ),
        migrations.AddConstraint(
            model_name="legalhold",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("lifted_at", None), ("lifted_by", None)),
                    models.Q(("lifted_at__isnull", False), ("lifted_by__isnull", False)),
                    _connector="OR",
                ),
                name="legalhold_lifted_whole",
            ),
        ),
        migrations.AddConstraint(
            model_name="retentionrule",
            constraint=models.UniqueConstraint(
                condition=models.Q(("approved_at", None), ("refused_at", None)),
                fields=("site",),
                name="retentionrule_one_proposed",
            ),
        ),
        migrations.AddConstraint(
            model_name="retentionrule",
            constraint=models.CheckConstraint(
                condition=models.Q(("days__gte", 30), ("most__gte", 1)), name="retentionrule_bounds"
            ),
        ),
        migrations.AddConstraint(
            model_name="retentionrule",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("approved_at", None), ("approved_by", None)),
                    models.Q(
                        ("approved_at__isnull", False),
                        ("approved_by__isnull", False),
                        models.Q(("approved_by", models.F("proposed_by")), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="retentionrule_by_two",
            ),
        ),
        migrations.RunSQL(GUARDS, FORMER),
    ]
