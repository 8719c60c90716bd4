"""Programs that hand calls in: each a client with a key of its own, bound to one site.

The key is shown once and stored as a digest only: 32 random bytes need no slow hash. A client that
is revoked or past its last day is refused; it stays as history, for the decision log names it.
"""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

KEY_DIGEST = r"^[0-9a-f]{64}$"


class Scope(models.TextChoices):
    """What a key opens. Whoever writes calls reads none of their words, rows or verdicts by it."""

    WRITE_CALLS = "write_calls", "hand calls in"
    READ_VERDICTS = "read_verdicts", "read rows and verdicts, without words"


class ApiClient(models.Model):
    """A program with a key. `per_minute` is its quota; the window of a minute begins at
    `window_at` and has had `window_count` requests.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    site = models.ForeignKey("people.Site", on_delete=models.PROTECT, related_name="api_clients")
    name = models.CharField(max_length=100)
    key_digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField()
    per_minute = models.PositiveIntegerField()
    made_at = models.DateTimeField()
    made_by = models.ForeignKey("people.User", on_delete=models.PROTECT, related_name="+")
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    revoked_by = models.ForeignKey(
        "people.User", on_delete=models.PROTECT, related_name="+", null=True
    )
    last_used_at = models.DateTimeField(null=True)
    window_at = models.DateTimeField(null=True)
    window_count = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(name="api_client_name_given", condition=Q(name__regex=r"\S")),
            models.CheckConstraint(
                name="api_client_digest_form", condition=Q(key_digest__regex=KEY_DIGEST)
            ),
            models.CheckConstraint(
                name="api_client_ends_after_it_begins", condition=Q(expires_at__gt=F("made_at"))
            ),
            models.CheckConstraint(name="api_client_has_quota", condition=Q(per_minute__gte=1)),
            models.CheckConstraint(
                name="api_client_revoked_by_somebody",
                condition=Q(revoked_at__isnull=True, revoked_by__isnull=True)
                | Q(revoked_at__isnull=False, revoked_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)


class WebhookEndpoint(models.Model):
    """Where a site's alerts are sent. Its secret lies sealed at slot ``secret:0`` under
    `wrapped_key`: what is sent is signed with it.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    site = models.ForeignKey("people.Site", on_delete=models.PROTECT, related_name="webhooks")
    url = models.CharField(max_length=500)
    wrapped_key = models.BinaryField(max_length=400)
    sealed_secret = models.BinaryField(max_length=400)
    made_at = models.DateTimeField()
    made_by = models.ForeignKey("people.User", on_delete=models.PROTECT, related_name="+")
    removed_at = models.DateTimeField(null=True)
    removed_by = models.ForeignKey(
        "people.User", on_delete=models.PROTECT, related_name="+", null=True
    )

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                name="webhook_once_per_site",
                fields=["site", "url"],
                condition=Q(removed_at__isnull=True),
            ),
            models.CheckConstraint(
                name="webhook_removed_by_somebody",
                condition=Q(removed_at__isnull=True, removed_by__isnull=True)
                | Q(removed_at__isnull=False, removed_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)
