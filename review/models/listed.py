"""What a list shows and filters by, kept on the call itself so that a list reads one table.

Written by `review.actions.call_line` alone (docs/adr/0011); everything here can be made again from
the call's rows, its latest evaluation and its findings.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q


class OutcomeCode(models.TextChoices):
    """Coverage, OrderSafe and CallSuccess as the database keeps them."""

    PASS = "PASS", "pass"
    FAIL = "FAIL", "fail"
    UNDETERMINED = "UNDETERMINED", "undetermined"


class ListedCall(models.Model):
    """The columns of a call's line.

    - The outcomes are those of the latest evaluation, empty before any.
    - `flagged` counts the rows that carry any flag, `critical` those at an end of a critical edge;
      `row_flags` are the codes of all of them.
    - `focus_turn` is where a person's look goes first; empty where nothing asks for one.
    - `search` are the words of ids, titles, phase ids and codes, never of what was said.
    """

    coverage = models.CharField(max_length=16, choices=OutcomeCode.choices, null=True)
    order_safe = models.CharField(max_length=16, choices=OutcomeCode.choices, null=True)
    call_success = models.CharField(max_length=16, choices=OutcomeCode.choices, null=True)
    flagged = models.PositiveIntegerField(default=0)
    critical = models.PositiveIntegerField(default=0)
    row_flags = ArrayField(models.CharField(max_length=64), default=list)
    focus_turn = models.IntegerField(null=True)
    search = SearchVectorField(default="")

    class Meta:
        abstract = True


#: The order of the list, its filters, and the words of its search.
LIST_INDEXES: tuple[models.Index, ...] = (
    models.Index(name="call_newest", fields=["-received_at", "-id"]),
    models.Index(
        name="call_at_a_glance", fields=["site", "state", "call_success", "catalog_version"]
    ),
    GinIndex(name="call_row_flags", fields=["row_flags"]),
    GinIndex(name="call_search", fields=["search"]),
)

LIST_CONSTRAINTS: tuple[models.BaseConstraint, ...] = (
    models.CheckConstraint(
        name="call_outcomes_known",
        condition=Q(coverage__isnull=True, order_safe__isnull=True, call_success__isnull=True)
        | Q(
            coverage__in=OutcomeCode.values,
            order_safe__in=OutcomeCode.values,
            call_success__in=OutcomeCode.values,
        ),
    ),
)
