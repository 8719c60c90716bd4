"""What models were asked: a request ends once and then stays; suggestions are only added."""

import django.db.models.deletion
from django.db import migrations, models

GUARDS = """
create trigger refuse_change before update or delete on review_suggestion
  for each row execute function review_refuse_change();
alter table review_suggestion enable always trigger refuse_change;
create function review_guard_model_request() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'a request to a model is never deleted' using errcode = '42501';
  end if;
  if old.ended_at is not null then
    raise exception 'a request that has ended does not change' using errcode = '42501';
  end if;
  if (new.id, new.site_id, new.call_id, new.phase, new.key, new.catalog_digest, new.host, new.model,
      new.request_digest, new.system_digest, new.prompt_version, new.sent_at)
     is distinct from
     (old.id, old.site_id, old.call_id, old.phase, old.key, old.catalog_digest, old.host, old.model,
      old.request_digest, old.system_digest, old.prompt_version, old.sent_at) then
    raise exception 'what a model was asked does not change' using errcode = '42501';
  end if;
  return new;
end $$;
create trigger guard_model_request before update or delete on review_modelrequest
  for each row execute function review_guard_model_request();
alter table review_modelrequest enable always trigger guard_model_request;
"""
FORMER = """
drop trigger guard_model_request on review_modelrequest;
drop function review_guard_model_request();
drop trigger refuse_change on review_suggestion;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("people", "0006_adjudicators"),
        ("review", "0036_attestation_by_passkey"),
    ]

    operations = [
        migrations.CreateModel(
            name="Asking",
            fields=[
                (
                    "run",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="asking",
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
            options={
                "constraints": [
                    models.CheckConstraint(
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
                        name="asking_leased_iff_running",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("attempts__lte", 3)), name="asking_attempts_bounded"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ModelRequest",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("phase", models.CharField(max_length=200)),
                ("key", models.CharField(max_length=64)),
                ("catalog_digest", models.CharField(max_length=64)),
                ("host", models.CharField(max_length=253)),
                ("model", models.CharField(max_length=200)),
                ("request_digest", models.CharField(max_length=64)),
                ("system_digest", models.CharField(max_length=64)),
                ("prompt_version", models.CharField(max_length=16)),
                ("tokens", models.PositiveIntegerField()),
                ("sent_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
                ("reason", models.CharField(blank=True, default="", max_length=16)),
                ("may_be_paid", models.BooleanField(default=True)),
                ("retries", models.PositiveSmallIntegerField(default=0)),
                ("answered_model", models.CharField(blank=True, default="", max_length=200)),
                ("answer_digest", models.CharField(blank=True, default="", max_length=64)),
                ("sealed_answer", models.BinaryField(null=True)),
                ("places", models.JSONField(default=list)),
                (
                    "call",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="review.call",
                    ),
                ),
                (
                    "site",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="people.site",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["site", "-sent_at"], name="modelrequest_of_site")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("may_be_paid", True)),
                        fields=("site", "key"),
                        name="modelrequest_paid_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ended_at__isnull", True), ("reason", "")),
                            models.Q(
                                ("ended_at__isnull", False), models.Q(("reason", ""), _negated=True)
                            ),
                            _connector="OR",
                        ),
                        name="modelrequest_ended_says_how",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("key__regex", "^[0-9a-f]{64}$"),
                            ("request_digest__regex", "^[0-9a-f]{64}$"),
                        ),
                        name="modelrequest_key_form",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Suggestion",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("phase", models.CharField(max_length=200)),
                ("reason", models.CharField(max_length=16)),
                ("asked", models.CharField(max_length=401)),
                ("requests", models.JSONField(default=list)),
                ("is_kept", models.BooleanField(default=False)),
                ("places", models.JSONField(default=list)),
                ("at", models.DateTimeField()),
                (
                    "call",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="suggestions",
                        to="review.call",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="suggestions",
                        to="review.prefillrun",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("run", "phase"), name="suggestion_once")
                ],
            },
        ),
        migrations.RunSQL(GUARDS, FORMER),
    ]
