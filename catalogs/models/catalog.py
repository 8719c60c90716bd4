"""A catalog and its versions: the exact bytes of each document, its digest, and who moved it on.

Triggers of migration 0002 keep what a check constraint cannot: a published version never changes
and is never deleted, and the windows of a catalog's published versions never overlap.
"""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

HEX_DIGEST = r"^[0-9a-f]{64}$"


class VersionState(models.TextChoices):
    """Where a version stands; only PUBLISHED ones judge calls."""

    DRAFT = "DRAFT", "draft"
    IN_REVIEW = "IN_REVIEW", "in review"
    PUBLISHED = "PUBLISHED", "published"
    RETIRED = "RETIRED", "retired"


class Catalog(models.Model):
    """One catalog of the organisation; its id names its chain in the decision log."""

    id = models.UUIDField(primary_key=True, editable=False)
    slug = models.SlugField(max_length=64, unique=True)
    title = models.CharField(max_length=300)

    class Meta:
        ordering: ClassVar[list[str]] = ["slug"]

    def __str__(self) -> str:
        return self.slug


class CatalogVersion(models.Model):
    """One version. `effective_to` is the last day in force; the document's own, or superseded.

    Of a version merged from an overlay `overlay` holds the overlay's bytes, `base` the version that
    it was laid over, and `source` the merged text, which is a whole catalog.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    catalog = models.ForeignKey(Catalog, on_delete=models.PROTECT, related_name="versions")
    version = models.CharField(max_length=64)
    state = models.CharField(
        max_length=16, choices=VersionState.choices, default=VersionState.DRAFT
    )
    source = models.BinaryField()
    overlay = models.BinaryField(null=True)
    base = models.ForeignKey("self", on_delete=models.PROTECT, related_name="overlays", null=True)
    digest = models.CharField(max_length=64)
    effective_from = models.DateField()
    effective_to = models.DateField(null=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField()
    submitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    submitted_at = models.DateTimeField(null=True)
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    published_at = models.DateTimeField(null=True)
    retired_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    retired_at = models.DateTimeField(null=True)
    revision = models.PositiveIntegerField(default=1)

    class Meta:
        ordering: ClassVar[list[str]] = ["catalog", "effective_from", "version"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="catalogversion_once", fields=["catalog", "version"]),
            models.CheckConstraint(
                name="catalogversion_state_known", condition=Q(state__in=VersionState.values)
            ),
            models.CheckConstraint(
                name="catalogversion_digest_form", condition=Q(digest__regex=HEX_DIGEST)
            ),
            models.CheckConstraint(
                name="catalogversion_window_forward",
                condition=Q(effective_to__isnull=True) | Q(effective_to__gte=F("effective_from")),
            ),
            models.CheckConstraint(
                name="catalogversion_submitted_as_state_says",
                condition=Q(
                    state=VersionState.DRAFT, submitted_by__isnull=True, submitted_at__isnull=True
                )
                | (
                    ~Q(state=VersionState.DRAFT)
                    & Q(submitted_by__isnull=False, submitted_at__isnull=False)
                ),
            ),
            models.CheckConstraint(
                name="catalogversion_published_as_state_says",
                condition=Q(
                    state__in=(VersionState.DRAFT, VersionState.IN_REVIEW),
                    published_by__isnull=True,
                    published_at__isnull=True,
                )
                | Q(
                    state__in=(VersionState.PUBLISHED, VersionState.RETIRED),
                    published_by__isnull=False,
                    published_at__isnull=False,
                ),
            ),
            models.CheckConstraint(
                name="catalogversion_retired_as_state_says",
                condition=Q(
                    state=VersionState.RETIRED, retired_by__isnull=False, retired_at__isnull=False
                )
                | (
                    ~Q(state=VersionState.RETIRED)
                    & Q(retired_by__isnull=True, retired_at__isnull=True)
                ),
            ),
            models.CheckConstraint(
                name="catalogversion_overlay_has_base",
                condition=Q(base__isnull=True, overlay__isnull=True)
                | Q(base__isnull=False, overlay__isnull=False),
            ),
            models.CheckConstraint(
                name="catalogversion_second_person",
                condition=Q(published_by__isnull=True) | ~Q(published_by=F("created_by")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.catalog_id} {self.version}"
