"""Exports of signed audits: who asked for what, for whom and why, and the file that was made."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from oipsce_site.people.models import Site
from oipsce_site.people.roles import Role
from review.models.call import HEX_DIGEST


class ExportState(models.TextChoices):
    """Where an export stands; FAILED is after the last attempt, or where a second person declined.

    ASKED waits for that second person; only the full profile begins there.
    """

    ASKED = "ASKED", "waiting for a second person"
    QUEUED = "QUEUED", "waiting"
    RUNNING = "RUNNING", "being built"
    DONE = "DONE", "done"
    FAILED = "FAILED", "failed"


class ProfileCode(models.TextChoices):
    """`review.core.audit.names.Profile` as the database keeps it."""

    FULL = "FULL", "full"
    MINIMUM = "MINIMUM", "minimum"
    DEIDENTIFIED = "DEIDENTIFIED", "de-identified"


class AuditExport(models.Model):
    """One export, asked for by one person and built by a worker under a lease.

    - Scope: dates of calls (inclusive), slug of a catalog, CallSuccess; empty asks for all.
    - `attempts` fences, as in `PrefillRun`; pieces of an older attempt are not served.
    - `secret` makes the pseudonyms of a de-identified audit; `nonce` is that of the commitments to
      recipient and purpose in the log.
    - `epoch`, `size`, `built_at` and `universe` are what the file was built from: built again, it
      has the same bytes.
    - `approved_by` is the second person that a full audit needs (audit_security 2d).
    - `wrapped_key` seals the pieces of the file; emptying it makes the stored file unreadable.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="exports")
    profile = models.CharField(max_length=16, choices=ProfileCode.choices)
    first_date = models.DateField(null=True)
    last_date = models.DateField(null=True)
    catalog = models.CharField(max_length=64, blank=True, default="")
    verdict = models.CharField(max_length=16, blank=True, default="")
    recipient = models.CharField(max_length=300)
    purpose = models.CharField(max_length=1000)
    state = models.CharField(max_length=8, choices=ExportState.choices)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    calls_done = models.PositiveIntegerField(default=0)
    calls = models.PositiveIntegerField(default=0)
    failure = models.TextField(blank=True, default="")
    secret = models.BinaryField(max_length=32)
    nonce = models.BinaryField(max_length=32)
    wrapped_key = models.BinaryField(max_length=400)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    role = models.CharField(max_length=32, choices=Role.choices)
    requested_at = models.DateTimeField()
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    approved_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    built_at = models.DateTimeField(null=True)
    epoch = models.PositiveIntegerField(null=True)
    size = models.BigIntegerField(null=True)
    universe = models.JSONField(default=dict)
    digest = models.CharField(max_length=64, blank=True, default="")
    bytes = models.BigIntegerField(default=0)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(name="auditexport_latest", fields=["site", "-requested_at"]),
            models.Index(
                name="auditexport_waiting",
                fields=["requested_at"],
                condition=Q(state__in=("QUEUED", "RUNNING")),
            ),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="auditexport_codes_known",
                condition=Q(
                    state__in=ExportState.values,
                    profile__in=ProfileCode.values,
                    verdict__in=("", "PASS", "FAIL", "UNDETERMINED"),
                ),
            ),
            models.CheckConstraint(
                name="auditexport_says_for_whom_and_why",
                condition=Q(recipient__regex=r"\S", purpose__regex=r"\S"),
            ),
            models.CheckConstraint(
                name="auditexport_approval_has_its_time",
                condition=Q(approved_by__isnull=True, approved_at__isnull=True)
                | Q(approved_by__isnull=False, approved_at__isnull=False),
            ),
            models.CheckConstraint(
                name="auditexport_nobody_approves_their_own",
                condition=Q(approved_by__isnull=True) | ~Q(approved_by=F("requested_by")),
            ),
            models.CheckConstraint(
                name="auditexport_lease_iff_running",
                condition=Q(state="RUNNING", lease_until__isnull=False)
                | (~Q(state="RUNNING") & Q(lease_until__isnull=True)),
            ),
            models.CheckConstraint(
                name="auditexport_done_has_file",
                condition=~Q(state="DONE")
                | Q(
                    digest__regex=HEX_DIGEST,
                    built_at__isnull=False,
                    epoch__isnull=False,
                    size__isnull=False,
                    finished_at__isnull=False,
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"export {self.id}"


class AuditPiece(models.Model):
    """A piece of an export's file. `sealed` opens at slot ``piece:POSITION``."""

    id = models.BigAutoField(primary_key=True)
    export = models.ForeignKey(AuditExport, on_delete=models.PROTECT, related_name="pieces")
    attempt = models.PositiveSmallIntegerField()
    position = models.PositiveIntegerField()
    sealed = models.BinaryField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                name="auditpiece_once", fields=["export", "attempt", "position"]
            ),
        ]

    def __str__(self) -> str:
        return f"piece {self.position} of {self.export_id}"


class AuditFetch(models.Model):
    """Somebody fetched an export's file: who and when, beside the log's entry of it."""

    id = models.BigAutoField(primary_key=True)
    export = models.ForeignKey(AuditExport, on_delete=models.PROTECT, related_name="fetches")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"fetch of {self.export_id}"
