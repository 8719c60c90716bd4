"""Transcript revisions: what was stored for a call, when and why; and reasons that people gave."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from review.models.call import HEX_DIGEST, Call


class RevisionWhy(models.TextChoices):
    """What made a transcript revision."""

    IMPORT = "IMPORT", "imported"
    OTHER_BYTES = "OTHER_BYTES", "other bytes imported"
    MAPPING = "MAPPING", "roles or settings changed"
    SWAP = "SWAP", "speakers swapped"


class TranscriptRevision(models.Model):
    """One transcript of a call, counted from 1 (insert-only).

    Its turns and events carry the same number; `Call.transcript_revision` names the current one.
    The columns are what the cascade reads beside the words. `by` is empty for the operator.
    """

    id = models.BigAutoField(primary_key=True)
    call = models.ForeignKey(
        Call, on_delete=models.PROTECT, db_index=False, related_name="transcripts"
    )
    number = models.PositiveIntegerField()
    why = models.CharField(max_length=16, choices=RevisionWhy.choices)
    source_sha256 = models.CharField(max_length=64)
    transcript_digest = models.CharField(max_length=64)
    ended = models.BooleanField(null=True)
    attributes = models.JSONField()
    speakers = models.JSONField()
    flags = models.JSONField()
    findings = models.JSONField()
    turn_count = models.PositiveIntegerField()
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="transcriptrevision_once", fields=["call", "number"]),
            models.CheckConstraint(
                name="transcriptrevision_first_is_import",
                condition=Q(number=1, why=RevisionWhy.IMPORT)
                | (Q(number__gt=1, why__in=RevisionWhy.values) & ~Q(why=RevisionWhy.IMPORT)),
            ),
            models.CheckConstraint(
                name="transcriptrevision_digests_form",
                condition=Q(source_sha256__regex=HEX_DIGEST, transcript_digest__regex=HEX_DIGEST),
            ),
        ]

    def __str__(self) -> str:
        return f"transcript {self.number} of {self.call_id}"


class NoteKind(models.TextChoices):
    """What a person gave a reason for."""

    SENT_BACK = "SENT_BACK", "sent back to mapping"
    WITHDRAWN = "WITHDRAWN", "withdrawn"
    REOPEN_ASKED = "REOPEN_ASKED", "asked to have it reopened"
    REOPENED = "REOPENED", "reopened"
    REOPEN_DECLINED = "REOPEN_DECLINED", "declined to reopen it"
    SKIPPED = "SKIPPED", "passed over in the queue"
    TAKEN_OVER = "TAKEN_OVER", "taken over from its reader"
    RELEASED = "RELEASED", "released from its reader"
    NOT_READ_TWICE = "NOT_READ_TWICE", "called the blind reading off"
    REVEALED = "REVEALED", "had identifiers shown"


class CallNote(models.Model):
    """The reason that a person typed for an act on a call (insert-only).

    It may repeat words of the call, so it lies sealed at slot ``note:NUMBER``; the log keeps a
    commitment under the nonce sealed at ``note_nonce:NUMBER``.
    """

    id = models.BigAutoField(primary_key=True)
    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="notes")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=16, choices=NoteKind.choices)
    sealed = models.BinaryField()
    sealed_nonce = models.BinaryField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(name="callnote_skips", fields=["by", "call"], condition=Q(kind="SKIPPED")),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="callnote_once", fields=["call", "number"]),
            models.CheckConstraint(
                name="callnote_kind_known", condition=Q(kind__in=NoteKind.values)
            ),
        ]

    def __str__(self) -> str:
        return f"note {self.number} on {self.call_id}"
