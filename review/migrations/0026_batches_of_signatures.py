"""Several calls signed in one act: the batch of a record, and how many were signed together."""

from django.db import migrations, models

_SIGNING = """
create or replace function review_guard_signing() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a signing is never deleted' using errcode = '42501';
  end if;
  if (new.id, new.call_id, new.by_id, new.session, new.number, new.evaluation_id, new.record,
      new.digest, new.sealed_inputs, new.at, new.expires_at{more_new})
     is distinct from
     (old.id, old.call_id, old.by_id, old.session, old.number, old.evaluation_id, old.record,
      old.digest, old.sealed_inputs, old.at, old.expires_at{more_old}) then
    raise exception 'what is to be signed does not change' using errcode = '42501';
  end if;
  if old.used_at is not null then
    raise exception 'a signing is used once' using errcode = '42501';
  end if;
  return new;
end $$;
"""
_SIGNOFF = """
create or replace function review_guard_signoff() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a sign-off is never deleted' using errcode = '42501';
  end if;
  if (new.id, new.call_id, new.number, new.review, new.evaluation_id, new.record, new.digest,
      new.assertion, new.sealed_inputs, new.seq, new.by_id, new.at{more_new})
     is distinct from
     (old.id, old.call_id, old.number, old.review, old.evaluation_id, old.record, old.digest,
      old.assertion, old.sealed_inputs, old.seq, old.by_id, old.at{more_old}) then
    raise exception 'what was signed does not change' using errcode = '42501';
  end if;
  if old.void_at is not null then
    raise exception 'a signature ends once' using errcode = '42501';
  end if;
  return new;
end $$;
"""
GUARDS = _SIGNING.format(more_new=", new.batch", more_old=", old.batch") + _SIGNOFF.format(
    more_new=", new.together", more_old=", old.together"
)
FORMER = _SIGNING.format(more_new="", more_old="") + _SIGNOFF.format(more_new="", more_old="")


class Migration(migrations.Migration):
    dependencies = [("review", "0025_exceptions_and_attestations")]

    operations = [
        migrations.AddField(
            model_name="signingintent", name="batch", field=models.UUIDField(null=True)
        ),
        migrations.AddField(
            model_name="signoff",
            name="together",
            field=models.PositiveSmallIntegerField(db_default=1, default=1),
        ),
        migrations.AddIndex(
            model_name="signingintent",
            index=models.Index(
                condition=models.Q(("batch__isnull", False)),
                fields=["batch"],
                name="signingintent_batch",
            ),
        ),
        migrations.RunSQL(GUARDS, FORMER),
    ]
