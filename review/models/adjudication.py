"""What language models were asked and what they propose: beside the rows, never in them."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from oipsce_site.people.models import Site
from review.models.call import HEX_DIGEST, Call
from review.models.promotion import Promotion
from review.models.proposal import PrefillRun

MOST_ATTEMPTS = 3


class AskingState(models.TextChoices):
    """How far the asking about one pre-fill is."""

    RUNNING = "RUNNING", "running"
    DONE = "DONE", "done"


class Asking(models.Model):
    """The questions about one pre-fill as a job under a lease. `attempts` fences."""

    run = models.OneToOneField(
        PrefillRun, on_delete=models.PROTECT, primary_key=True, related_name="asking"
    )
    state = models.CharField(max_length=8, choices=AskingState.choices)
    attempts = models.PositiveSmallIntegerField()
    lease_until = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="asking_leased_iff_running",
                condition=Q(state="RUNNING", lease_until__isnull=False, ended_at__isnull=True)
                | Q(state="DONE", lease_until__isnull=True, ended_at__isnull=False),
            ),
            models.CheckConstraint(
                name="asking_attempts_bounded", condition=Q(attempts__lte=MOST_ATTEMPTS)
            ),
        ]

    def __str__(self) -> str:
        return f"asking about {self.run_id}"


class ModelRequest(models.Model):
    """One question that was sent to one model: kept for good, and by its key sent once.

    The row is stored before anything is sent, so a lost worker leaves it without an end; it may
    have been paid for and is not sent again. `sealed_answer` is the raw answer at slot
    ``answer:ID`` under the call's key: with the words of the call it is erased. `tokens` is what is
    reserved until the endpoint says what it was. `places` have no words.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    site = models.ForeignKey(Site, on_delete=models.PROTECT, related_name="+", db_index=False)
    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="+")
    phase = models.CharField(max_length=200)
    key = models.CharField(max_length=64)
    catalog_digest = models.CharField(max_length=64)
    host = models.CharField(max_length=253)
    model = models.CharField(max_length=200)
    request_digest = models.CharField(max_length=64)
    system_digest = models.CharField(max_length=64)
    prompt_version = models.CharField(max_length=16)
    tokens = models.PositiveIntegerField()
    sent_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=16, blank=True, default="")
    may_be_paid = models.BooleanField(default=True)
    retries = models.PositiveSmallIntegerField(default=0)
    answered_model = models.CharField(max_length=200, blank=True, default="")
    answer_digest = models.CharField(max_length=64, blank=True, default="")
    sealed_answer = models.BinaryField(null=True)
    places = models.JSONField(default=list)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(name="modelrequest_of_site", fields=["site", "-sent_at"]),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                name="modelrequest_paid_once",
                fields=["site", "key"],
                condition=Q(may_be_paid=True),
            ),
            models.CheckConstraint(
                name="modelrequest_ended_says_how",
                condition=Q(ended_at__isnull=True, reason="")
                | (Q(ended_at__isnull=False) & ~Q(reason="")),
            ),
            models.CheckConstraint(
                name="modelrequest_key_form",
                condition=Q(key__regex=HEX_DIGEST) & Q(request_digest__regex=HEX_DIGEST),
            ),
        ]

    def __str__(self) -> str:
        return f"request {self.id}"


class Suggestion(models.Model):
    """What came of asking about one row of one pre-fill: places to look at, or why there are none.

    Insert-only, and read by nothing that judges. `is_kept` says that the answer was there already.
    `digest` is `asking_digest`, `answered` the models as the endpoint names them ("" where one of
    them did not answer), `said` a `Said`, "" where nothing was sent. `promotion` is the one that
    stood then; without one reviewers see it only when they have decided (guard rule 16).
    """

    id = models.BigAutoField(primary_key=True)
    run = models.ForeignKey(
        PrefillRun, on_delete=models.PROTECT, related_name="suggestions", db_index=False
    )
    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="suggestions")
    phase = models.CharField(max_length=200)
    reason = models.CharField(max_length=16)
    asked = models.CharField(max_length=401)
    requests = models.JSONField(default=list)
    is_kept = models.BooleanField(default=False)
    places = models.JSONField(default=list)
    digest = models.CharField(max_length=64, blank=True, default="", db_default="")
    answered = models.CharField(max_length=401, blank=True, default="", db_default="")
    said = models.CharField(max_length=10, blank=True, default="", db_default="")
    promotion = models.ForeignKey(
        Promotion, on_delete=models.PROTECT, related_name="+", null=True, db_index=False
    )
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="suggestion_once", fields=["run", "phase"]),
        ]

    def __str__(self) -> str:
        return f"suggestion for {self.phase} of {self.call_id}"
