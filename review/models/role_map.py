"""Role maps that people confirmed: what a source calls its voices, and which roles these are."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from catalogs.models import Catalog
from oipsce_site.people.models import Site


class RoleMap(models.Model):
    """One map of a site, per source and catalog; `roles` goes from the source's word to a role.

    It is kept until somebody forgets it; what it did to calls stays in their transcripts.
    `confirmed_by` is empty for the operator of this machine.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="role_maps")
    source = models.CharField(max_length=100)
    catalog = models.ForeignKey(Catalog, on_delete=models.PROTECT, related_name="role_maps")
    roles = models.JSONField()
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    confirmed_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["site", "source", "catalog"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="rolemap_once", fields=["site", "source", "catalog"]),
        ]

    def __str__(self) -> str:
        return f"roles of {self.source} at {self.site_id}"
