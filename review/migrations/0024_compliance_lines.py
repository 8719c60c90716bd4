"""Lines of signatures for compliance pages, those that were made already included; verifications.

The draw of the random sample is as of this migration, and so is what was judged in a report.
"""

import hashlib
import hmac
import json
from collections.abc import Iterator, Mapping
from typing import Any

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def fill_lines(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Make the line of every signature that there is."""
    model, line = apps.get_model("review", "SignOff"), apps.get_model("review", "SignedLine")
    found = model.objects.select_related("call", "evaluation").order_by("id")
    for one in found.iterator(chunk_size=200):
        line.objects.create(**_line_of(apps, one))


def _line_of(apps: StateApps, one: Any) -> dict[str, Any]:
    report = json.loads(one.evaluation.report)
    proposed = apps.get_model("review", "Evaluation").objects.get(
        run=one.evaluation.run_id, decision=None
    )
    flagged = any(row["flags"] for row in json.loads(proposed.report)["rows"])
    drawn = _is_drawn(one.call_id.bytes)
    marks = list(_marks(report))
    return {
        "signoff": one,
        "call_id": one.call_id,
        "site_id": one.call.site_id,
        "catalog_version_id": _version_of(apps, one),
        "by_id": one.by_id,
        "at": one.at,
        "day": one.call.call_date or one.call.received_at.date(),
        "selection": "RANDOM" if drawn else "RISK" if flagged else "OTHER",
        "coverage": one.evaluation.coverage,
        "order_safe": one.evaluation.order_safe,
        "call_success": one.evaluation.call_success,
        "judged": sorted({name for name, _ in marks}),
        "failed": sorted({name for name, ok in marks if not ok}),
        "stands": one.void_at is None,
    }


def _version_of(apps: StateApps, one: Any) -> Any:
    """Return the version by whose digest the signature's evaluation was made."""
    versions = apps.get_model("catalogs", "CatalogVersion").objects
    found = versions.filter(digest=one.evaluation.catalog_digest).order_by("created_at").first()
    return one.call.catalog_version_id if found is None else found.pk


def _marks(report: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    for edge in report["edges"]:
        if edge["critical"] and edge["ok"] is not None:
            yield f"{edge['parent']}>{edge['child']}", edge["ok"]
    for row in report["rows"]:
        if row["required"] is True:
            for item, said in row["items"].items():
                if said["met"] is not None:
                    yield f"{row['phase']}/{item}", said["met"]


def _is_drawn(call_id: bytes) -> bool:
    key = hashlib.sha256(b"oip-sce/sample-key/v1\0" + settings.SECRET_KEY.encode()).digest()
    drawn = hmac.new(key, b"oip-sce/sample/v1\0" + call_id, hashlib.sha256).digest()
    return int.from_bytes(drawn[:8], "big") * 100 < 5 << 64


class Migration(migrations.Migration):
    dependencies = [
        ("catalogs", "0002_guards"),
        ("people", "0002_administration"),
        ("review", "0023_readings"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="LogCheck",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                ("asked_at", models.DateTimeField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("QUEUED", "waiting"),
                            ("RUNNING", "running"),
                            ("DONE", "done"),
                            ("FAILED", "failed"),
                        ],
                        max_length=8,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("lease_until", models.DateTimeField(null=True)),
                ("chains_done", models.PositiveIntegerField(default=0)),
                ("chains", models.PositiveIntegerField(default=0)),
                ("finished_at", models.DateTimeField(null=True)),
                ("failure", models.TextField(blank=True, default="")),
                ("fault_count", models.PositiveIntegerField(default=0)),
                ("faults", models.JSONField(default=list)),
                ("sites", models.JSONField(default=dict)),
                ("seal", models.JSONField(default=dict)),
                ("unsealed", models.TextField(blank=True, default="")),
                (
                    "asked_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["-asked_at"], name="logcheck_latest")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["QUEUED", "RUNNING", "DONE", "FAILED"])),
                        name="logcheck_state_known",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "QUEUED")),
                        fields=("state",),
                        name="logcheck_one_waits",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("lease_until__isnull", False), ("state", "RUNNING")),
                            models.Q(
                                models.Q(("state", "RUNNING"), _negated=True),
                                ("lease_until__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="logcheck_lease_iff_running",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("finished_at__isnull", True), ("state__in", ("QUEUED", "RUNNING"))
                            ),
                            models.Q(
                                ("finished_at__isnull", False), ("state__in", ("DONE", "FAILED"))
                            ),
                            _connector="OR",
                        ),
                        name="logcheck_over_has_its_time",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SignedLine",
            fields=[
                (
                    "signoff",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="line",
                        serialize=False,
                        to="review.signoff",
                    ),
                ),
                ("at", models.DateTimeField()),
                ("day", models.DateField()),
                (
                    "selection",
                    models.CharField(
                        choices=[
                            ("RANDOM", "random sample"),
                            ("RISK", "selected by risk"),
                            ("OTHER", "neither"),
                        ],
                        max_length=8,
                    ),
                ),
                (
                    "coverage",
                    models.CharField(
                        choices=[
                            ("PASS", "pass"),
                            ("FAIL", "fail"),
                            ("UNDETERMINED", "undetermined"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "order_safe",
                    models.CharField(
                        choices=[
                            ("PASS", "pass"),
                            ("FAIL", "fail"),
                            ("UNDETERMINED", "undetermined"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "call_success",
                    models.CharField(
                        choices=[
                            ("PASS", "pass"),
                            ("FAIL", "fail"),
                            ("UNDETERMINED", "undetermined"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "judged",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=500), size=None
                    ),
                ),
                (
                    "failed",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=500), size=None
                    ),
                ),
                ("stands", models.BooleanField(default=True)),
                (
                    "by",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "call",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="signed_lines",
                        to="review.call",
                    ),
                ),
                (
                    "catalog_version",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="catalogs.catalogversion",
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
                "indexes": [
                    models.Index(
                        condition=models.Q(("stands", True)),
                        fields=["-at", "-signoff"],
                        name="signedline_newest",
                    ),
                    models.Index(
                        condition=models.Q(("stands", True)),
                        fields=["site", "day"],
                        name="signedline_of_site",
                    ),
                    django.contrib.postgres.indexes.GinIndex(
                        condition=models.Q(("stands", True)),
                        fields=["failed"],
                        name="signedline_failed",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("call_success__in", ["PASS", "FAIL", "UNDETERMINED"]),
                            ("coverage__in", ["PASS", "FAIL", "UNDETERMINED"]),
                            ("order_safe__in", ["PASS", "FAIL", "UNDETERMINED"]),
                            ("selection__in", ["RANDOM", "RISK", "OTHER"]),
                        ),
                        name="signedline_codes_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("judged__contains", models.F("failed"))),
                        name="signedline_failed_was_judged",
                    ),
                ],
            },
        ),
        migrations.RunPython(fill_lines, migrations.RunPython.noop, elidable=True),
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE", migrations.RunSQL.noop),
    ]
