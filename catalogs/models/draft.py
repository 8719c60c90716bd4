"""A draft that is being written: every text it ever had, and what was said of a version.

Texts and remarks are only added; triggers of migration 0004 refuse any change of them. A draft is
handed in as a version, which has its own bytes: writing on changes no version.
"""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from catalogs.models.catalog import HEX_DIGEST, CatalogVersion


class Draft(models.Model):
    """One draft; its id names its chain in the decision log.

    `current` is the number of the text that stands, `last` the number given last: texts that lost
    against another author's stand aside and have numbers, too. `catalog_key` is the id that its
    catalog gets if nobody has used its slug before. `version` is what it was handed in as.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    title = models.CharField(max_length=300)
    catalog_key = models.UUIDField()
    started_from = models.ForeignKey(
        CatalogVersion, on_delete=models.PROTECT, related_name="+", null=True
    )
    version = models.OneToOneField(
        CatalogVersion, on_delete=models.PROTECT, related_name="draft", null=True
    )
    current = models.PositiveIntegerField(default=1)
    last = models.PositiveIntegerField(default=1)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["-changed_at", "id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="draft_current_is_there", condition=Q(current__gte=1, current__lte=F("last"))
            ),
        ]

    def __str__(self) -> str:
        return f"draft {self.id}"


class DraftText(models.Model):
    """One text of a draft, byte for byte. `brought_back` is the number it was taken again from."""

    draft = models.ForeignKey(Draft, on_delete=models.PROTECT, related_name="texts")
    number = models.PositiveIntegerField()
    source = models.BinaryField()
    is_aside = models.BooleanField(default=False)
    brought_back = models.PositiveIntegerField(null=True)
    written_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    written_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["draft", "-number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="drafttext_once", fields=["draft", "number"]),
            models.CheckConstraint(name="drafttext_from_one", condition=Q(number__gte=1)),
        ]

    def __str__(self) -> str:
        return f"text {self.number} of {self.draft_id}"


class RemarkKind(models.TextChoices):
    """What a remark asks for: nothing, a change, or that the version be published."""

    COMMENT = "COMMENT", "comment"
    CHANGES = "CHANGES", "changes asked for"
    APPROVAL = "APPROVAL", "approved"


class VersionRemark(models.Model):
    """What a person said of one text of a version, on the whole or on one phase.

    `nonce` hides the words in the decision log: the log holds a commitment to them.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    version = models.ForeignKey(CatalogVersion, on_delete=models.PROTECT, related_name="remarks")
    document_digest = models.CharField(max_length=64)
    kind = models.CharField(max_length=16, choices=RemarkKind.choices)
    phase = models.CharField(max_length=64, blank=True)
    words = models.TextField(blank=True)
    nonce = models.BinaryField(max_length=32)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["version", "made_at", "id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="versionremark_kind_known", condition=Q(kind__in=RemarkKind.values)
            ),
            models.CheckConstraint(
                name="versionremark_digest_form", condition=Q(document_digest__regex=HEX_DIGEST)
            ),
            models.CheckConstraint(
                name="versionremark_says_something",
                condition=Q(kind=RemarkKind.APPROVAL) | Q(words__regex=r"\S"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} on {self.version_id}"


class OrderState(models.TextChoices):
    """How far a rehearsal that an author asked for has come."""

    WAITING = "WAITING", "waiting"
    RUNNING = "RUNNING", "running"
    DONE = "DONE", "done"
    FAILED = "FAILED", "failed"


class RehearsalOrder(models.Model):
    """A rehearsal of one text of a draft, asked for by its author and done by a worker.

    `done` of `total` steps are behind it; `total` is 0 until it has begun. `attempt` is the fence
    of docs/adr/0013: what is stored later must still find that number.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    draft = models.ForeignKey(Draft, on_delete=models.PROTECT, related_name="orders")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=16, choices=OrderState.choices, default=OrderState.WAITING)
    attempt = models.PositiveIntegerField(default=0)
    leased_until = models.DateTimeField(null=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    report_digest = models.CharField(max_length=64, blank=True)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    asked_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["draft", "-asked_at", "id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="rehearsalorder_state_known", condition=Q(state__in=OrderState.values)
            ),
            models.UniqueConstraint(
                name="rehearsalorder_one_at_a_time",
                fields=["draft"],
                condition=Q(state__in=(OrderState.WAITING, OrderState.RUNNING)),
            ),
        ]

    def __str__(self) -> str:
        return f"rehearsal of text {self.number} of {self.draft_id}"
