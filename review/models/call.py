"""A call: what is known of it without its words. The words lie sealed in Turn and Event."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from catalogs.models import CatalogVersion
from oipsce_site.people.models import Site
from review.models.held import HOLD_CONSTRAINTS, HOLD_INDEXES, HeldCall
from review.models.listed import LIST_CONSTRAINTS, LIST_INDEXES, ListedCall

HEX_DIGEST = r"^[0-9a-f]{64}$"


class State(models.TextChoices):
    """`review.core.lifecycle.CallState` as the database keeps it."""

    RECEIVED = "RECEIVED", "received"
    NEEDS_MAPPING = "NEEDS_MAPPING", "needs mapping"
    PREFILLING = "PREFILLING", "pre-filling"
    AWAITING_REVIEW = "AWAITING_REVIEW", "awaiting review"
    IN_REVIEW = "IN_REVIEW", "in review"
    AWAITING_SECOND_READER = "AWAITING_SECOND_READER", "awaiting second reader"
    SIGNED = "SIGNED", "signed"
    REOPENED = "REOPENED", "reopened"
    WITHDRAWN = "WITHDRAWN", "withdrawn"


class Call(ListedCall, HeldCall):
    """One call of a site, found again by (site, source, external id).

    - `needs_mapping` is the sentence that says what a person must settle; empty unless the state is
      NEEDS_MAPPING.
    - `wrapped_key` is the call's data key; emptying it erases the words of the call for ever.
    - `erased_at` is when the words were erased: the key is empty since, and what was stored with
      words is gone or empty (`review.actions.erasing`).
    - `attributes`, `speakers` and `findings` are plain JSON as `review.core.transcript.storing`
      writes them; none holds a turn's text.
    - `transcript_revision` names the current one of `transcripts`, whose columns are repeated here
      for lists; `source_sha256` stays that of the bytes that came first. `revision` counts reviews.
    - `received_by` is empty when the operator of this machine imported the call.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, db_index=False, related_name="calls")
    source = models.CharField(max_length=100)
    external_id = models.CharField(max_length=500)
    title = models.TextField()
    state = models.CharField(max_length=32, choices=State.choices)
    needs_mapping = models.TextField(blank=True, default="")
    catalog_version = models.ForeignKey(
        CatalogVersion, on_delete=models.PROTECT, related_name="calls", null=True
    )
    ended = models.BooleanField(null=True)
    call_date = models.DateField(null=True)
    started_at = models.TextField(null=True)
    language = models.TextField(null=True)
    attributes = models.JSONField()
    speakers = models.JSONField()
    flags = models.JSONField()
    findings = models.JSONField()
    turn_count = models.PositiveIntegerField()
    revision = models.PositiveIntegerField(default=1)
    transcript_revision = models.PositiveIntegerField(default=1, db_default=1)
    source_sha256 = models.CharField(max_length=64)
    transcript_digest = models.CharField(max_length=64)
    wrapped_key = models.BinaryField(max_length=400)
    erased_at = models.DateTimeField(null=True)
    received_at = models.DateTimeField()
    received_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(name="call_queue", fields=["site", "state", "received_at"]),
            *LIST_INDEXES,
            *HOLD_INDEXES,
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                name="call_once_per_source", fields=["site", "source", "external_id"]
            ),
            models.CheckConstraint(name="call_state_known", condition=Q(state__in=State.values)),
            models.CheckConstraint(
                name="call_sentence_iff_needs_mapping",
                condition=Q(state=State.NEEDS_MAPPING, needs_mapping__regex=r"\S")
                | (~Q(state=State.NEEDS_MAPPING) & Q(needs_mapping="")),
            ),
            models.CheckConstraint(
                name="call_judged_has_catalog",
                condition=Q(state__in=(State.RECEIVED, State.NEEDS_MAPPING, State.WITHDRAWN))
                | Q(catalog_version__isnull=False),
            ),
            models.CheckConstraint(
                name="call_digests_form",
                condition=Q(source_sha256__regex=HEX_DIGEST)
                & Q(transcript_digest__regex=HEX_DIGEST),
            ),
            models.CheckConstraint(
                name="call_erased_has_no_key",
                condition=Q(erased_at__isnull=True) | Q(wrapped_key=b"", title=""),
            ),
            models.CheckConstraint(name="call_revision_counts", condition=Q(revision__gte=1)),
            *LIST_CONSTRAINTS,
            *HOLD_CONSTRAINTS,
            models.CheckConstraint(
                name="call_transcript_revision_counts", condition=Q(transcript_revision__gte=1)
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)
