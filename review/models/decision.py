"""Decisions of people on rows and facts (insert-only): what is shown is folded from them."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from oipsce_site.people.roles import Role
from review.models.call import Call
from review.models.proposal import PrefillRun


class DecisionKind(models.TextChoices):
    """`review.core.decisions.Kind` as the database keeps it."""

    CONFIRM = "CONFIRM", "confirmed"
    SET_START = "SET_START", "set the start"
    SET_FINISH = "SET_FINISH", "set the finish"
    SET_VERDICT = "SET_VERDICT", "set the verdict"
    SET_EVIDENCE = "SET_EVIDENCE", "set evidence"
    SET_ITEM = "SET_ITEM", "marked an item"
    SET_FACT = "SET_FACT", "set a fact"
    DOUBT = "DOUBT", "doubted"
    COMMENT = "COMMENT", "commented"
    UNDO = "UNDO", "took back"


class Decision(models.Model):
    """One decision on a row or, instead, on a fact; counted from 1 within its call.

    - `run` is the pre-fill whose proposals the person saw.
    - `value` is what `review.core.decisions.value_to_json` writes: no words of the call.
    - `revision` is that of the row or fact it was made on; `key` applies a resent form once.
    - A reason or comment may repeat words of the call: it lies sealed at slot ``decision:NUMBER``,
      and the log keeps a commitment under the nonce sealed at ``decision_nonce:NUMBER``.
    - `evidence_seen` and `spent_ms` are what the page saw of the person, where it could see.
    - `candidate` is the place, from 1, of the candidate by wording that was taken as evidence.
    """

    id = models.BigAutoField(primary_key=True)
    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="decisions")
    number = models.PositiveIntegerField()
    run = models.ForeignKey(PrefillRun, on_delete=models.PROTECT, related_name="decisions")
    kind = models.CharField(max_length=16, choices=DecisionKind.choices)
    phase = models.CharField(max_length=200, blank=True, default="")
    fact = models.CharField(max_length=200, blank=True, default="")
    value = models.JSONField()
    revision = models.PositiveIntegerField()
    key = models.UUIDField()
    sealed = models.BinaryField(null=True)
    sealed_nonce = models.BinaryField(null=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    role = models.CharField(max_length=32, choices=Role.choices)
    at = models.DateTimeField()
    evidence_seen = models.BooleanField(null=True)
    spent_ms = models.PositiveIntegerField(null=True)
    candidate = models.PositiveSmallIntegerField(null=True)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            # The figures of a span of days are read from the first alone.
            models.Index(
                name="decision_by_time",
                fields=["at"],
                include=["call", "phase", "by", "spent_ms"],
            ),
            models.Index(
                name="decision_unseen",
                fields=["at"],
                condition=Q(kind="CONFIRM", evidence_seen=False),
            ),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="decision_once", fields=["call", "number"]),
            models.UniqueConstraint(name="decision_key_once", fields=["call", "key"]),
            models.CheckConstraint(
                name="decision_codes_known",
                condition=Q(
                    kind__in=DecisionKind.values, role__in=(Role.REVIEWER, Role.SENIOR_REVIEWER)
                ),
            ),
            models.CheckConstraint(
                name="decision_about_row_or_fact",
                condition=Q(phase="", fact__regex=r"\S") | Q(phase__regex=r"\S", fact=""),
            ),
            models.CheckConstraint(
                name="decision_words_have_nonce",
                condition=Q(sealed__isnull=True, sealed_nonce__isnull=True)
                | Q(sealed__isnull=False, sealed_nonce__isnull=False),
            ),
            models.CheckConstraint(
                name="decision_candidate_is_evidence",
                condition=Q(candidate__isnull=True)
                | Q(candidate__range=(1, 3), kind="SET_EVIDENCE"),
            ),
            models.CheckConstraint(
                name="decision_says_words",
                condition=~Q(kind__in=("DOUBT", "COMMENT")) | Q(sealed__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"decision {self.number} on {self.call_id}"
