"""Who reads a call now and who is to read it, kept on the call so that a claim is one statement.

Written by `review.actions.holds` and `review.actions.queueing` alone. A hold protects attention;
the revisions of rows protect what is stored.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q


class HeldCall(models.Model):
    """The columns of a call's hold.

    - A hold is live until `held_until`; nothing has to run for it to end.
    - `hold_number` counts the claims, so that a form of an earlier hold is told from one of now.
    - `hold_key` is the key of the form that claimed it: sent twice it claims once.
    - `assigned_to` is for whom a senior reviewer has put it aside.
    """

    held_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    held_until = models.DateTimeField(null=True)
    hold_number = models.PositiveIntegerField(default=0, db_default=0)
    hold_key = models.UUIDField(null=True)
    assigned_to = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )

    class Meta:
        abstract = True


HOLD_INDEXES: tuple[models.Index, ...] = (
    models.Index(
        name="call_held", fields=["held_by", "held_until"], condition=Q(held_by__isnull=False)
    ),
    models.Index(
        name="call_assigned", fields=["assigned_to"], condition=Q(assigned_to__isnull=False)
    ),
)

HOLD_CONSTRAINTS: tuple[models.BaseConstraint, ...] = (
    models.CheckConstraint(
        name="call_hold_has_end",
        condition=Q(held_by__isnull=True, held_until__isnull=True)
        | Q(held_by__isnull=False, held_until__isnull=False, hold_number__gte=1),
    ),
)
