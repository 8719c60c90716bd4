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

from review.core.queue import OPEN_STATES


class OutcomeCode(models.TextChoices):
    """Coverage, OrderSafe and CallSuccess as the database keeps them."""

    PASS = "PASS", "pass"
    FAIL = "FAIL", "fail"
    UNDETERMINED = "UNDETERMINED", "undetermined"


class QueueClassCode(models.IntegerChoices):
    """`review.core.queue.QueueClass` as the database keeps it."""

    ORDER = 1, "order at stake"
    CRITICAL = 2, "safety-critical"
    AMBIGUOUS = 3, "ambiguous"
    SAMPLE = 4, "sample, blind"
    DOUBT = 5, "in doubt"
    SECOND = 6, "second person"
    READY = 7, "ready to sign"
    BLIND = 8, "second reading, blind"
    DIFFERENT = 9, "readings differ"


class SecondCode(models.TextChoices):
    """`review.core.queue.Second` as the database keeps it."""

    NONE = "", "no blind reading"
    WAITING = "WAITING", "waits for a blind reader"
    OPEN = "OPEN", "is being read blind"
    DIFFERENT = "DIFFERENT", "readings differ"
    DONE = "DONE", "read twice"


class ListedCall(models.Model):
    """The columns of a call's line.

    - The outcomes are those of the latest evaluation, empty before any.
    - `flagged` counts the rows that carry any flag, `critical` those at an end of a critical edge;
      `row_flags` are the codes of all of them.
    - `focus_turn` is where a person's look goes first; empty where nothing asks for one.
    - `search` are the words of ids, titles, phase ids and codes, never of what was said.
    - `queue_class` is the call's class in the reviewers' queue (`review.core.queue`), empty before
      any evaluation; `queue_phase` and `queue_code` are the row and flag that put it there, and
      `queue_edge` is the critical edge that is violated or open.
    - `second_reading` says how the call stands with its blind reading. Until that is done the
      columns above say nothing of the call, so no list, filter, count or search can.
    """

    coverage = models.CharField(max_length=16, choices=OutcomeCode.choices, null=True)
    order_safe = models.CharField(max_length=16, choices=OutcomeCode.choices, null=True)
    call_success = models.CharField(max_length=16, choices=OutcomeCode.choices, null=True)
    flagged = models.PositiveIntegerField(default=0)
    critical = models.PositiveIntegerField(default=0)
    row_flags = ArrayField(models.CharField(max_length=64), default=list)
    focus_turn = models.IntegerField(null=True)
    search = SearchVectorField(default="")
    queue_class = models.PositiveSmallIntegerField(choices=QueueClassCode.choices, null=True)
    queue_phase = models.CharField(max_length=200, blank=True, default="", db_default="")
    queue_code = models.CharField(max_length=64, blank=True, default="", db_default="")
    queue_edge = models.JSONField(null=True)
    second_reading = models.CharField(
        max_length=16, choices=SecondCode.choices, blank=True, default="", db_default=""
    )

    class Meta:
        abstract = True


#: A call that asks for somebody: judged, and in one of `review.core.queue.OPEN_STATES`.
IN_QUEUE = Q(
    state__in=[state.value for state in OPEN_STATES],
    queue_class__isnull=False,
)

#: The order of the list, its filters, and the words of its search.
LIST_INDEXES: tuple[models.Index, ...] = (
    models.Index(name="call_newest", fields=["-received_at", "-id"]),
    models.Index(
        name="call_at_a_glance", fields=["site", "state", "call_success", "catalog_version"]
    ),
    GinIndex(name="call_row_flags", fields=["row_flags"]),
    GinIndex(name="call_search", fields=["search"]),
    # The queue in its order, over all sites and for one; what is counted lies beside it.
    models.Index(
        name="call_in_queue",
        fields=["queue_class", "received_at", "id"],
        include=["site", "catalog_version", "call_success"],
        condition=IN_QUEUE,
    ),
    models.Index(
        name="call_in_queue_of_site",
        fields=["site", "queue_class", "received_at", "id"],
        condition=IN_QUEUE,
    ),
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
    models.CheckConstraint(
        name="call_queue_class_known",
        condition=Q(queue_class__isnull=True) | Q(queue_class__in=QueueClassCode.values),
    ),
    models.CheckConstraint(
        name="call_second_reading_known", condition=Q(second_reading__in=SecondCode.values)
    ),
)
