"""Evaluations: what was decided, from which inputs, and commitments to evidence (insert-only)."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from review.models.call import HEX_DIGEST, Call
from review.models.decision import Decision
from review.models.listed import OutcomeCode
from review.models.proposal import PrefillRun


class Evaluation(models.Model):
    """One evaluation, named by its inputs (transcript, rows, catalog, engine); never changed.

    It is of the proposals of `run`, with the decisions of people up to `decision`; of the proposals
    alone without one.

    `report` is the whole record as JSON text, without quotes (a jsonb column would lose the order
    of its keys); `digest` is over its canonical bytes. `deciding` repeats of the proposals what
    decides, for what-ifs, which read a million rows: facts, and rows as lists.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    call = models.ForeignKey(
        Call, on_delete=models.PROTECT, db_index=False, related_name="evaluations"
    )
    run = models.ForeignKey(
        PrefillRun, on_delete=models.PROTECT, db_index=False, related_name="evaluations"
    )
    decision = models.ForeignKey(
        Decision, on_delete=models.PROTECT, related_name="evaluations", null=True
    )
    catalog_digest = models.CharField(max_length=64)
    transcript_digest = models.CharField(max_length=64)
    rows_digest = models.CharField(max_length=64)
    engine = models.CharField(max_length=64)
    coverage = models.CharField(max_length=16, choices=OutcomeCode.choices)
    order_safe = models.CharField(max_length=16, choices=OutcomeCode.choices)
    call_success = models.CharField(max_length=16, choices=OutcomeCode.choices)
    report = models.TextField()
    digest = models.CharField(max_length=64)
    # Null for those of people's decisions, and where it was made before there was this column.
    deciding = models.TextField(null=True)
    made_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(name="evaluation_latest", fields=["call", "-made_at"]),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                name="evaluation_of_proposals_once", fields=["run"], condition=Q(decision=None)
            ),
            models.UniqueConstraint(name="evaluation_of_decision_once", fields=["run", "decision"]),
            models.CheckConstraint(
                name="evaluation_outcomes_known",
                condition=Q(
                    coverage__in=OutcomeCode.values,
                    order_safe__in=OutcomeCode.values,
                    call_success__in=OutcomeCode.values,
                ),
            ),
            models.CheckConstraint(
                name="evaluation_success_is_both",
                condition=Q(call_success=OutcomeCode.PASS, coverage="PASS", order_safe="PASS")
                | (
                    Q(call_success=OutcomeCode.FAIL)
                    & (Q(coverage=OutcomeCode.FAIL) | Q(order_safe=OutcomeCode.FAIL))
                )
                | (
                    Q(call_success=OutcomeCode.UNDETERMINED)
                    & ~Q(coverage=OutcomeCode.FAIL)
                    & ~Q(order_safe=OutcomeCode.FAIL)
                    & (
                        Q(coverage=OutcomeCode.UNDETERMINED)
                        | Q(order_safe=OutcomeCode.UNDETERMINED)
                    )
                ),
            ),
            models.CheckConstraint(
                name="evaluation_digests_form",
                condition=Q(
                    catalog_digest__regex=HEX_DIGEST,
                    transcript_digest__regex=HEX_DIGEST,
                    rows_digest__regex=HEX_DIGEST,
                    digest__regex=HEX_DIGEST,
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"evaluation {self.id}"


class EvidenceCommitment(models.Model):
    """An HMAC over one quote, under the sealed nonce of its turn; no word can be read from it."""

    id = models.BigAutoField(primary_key=True)
    evaluation = models.ForeignKey(Evaluation, on_delete=models.PROTECT, related_name="commitments")
    phase = models.CharField(max_length=200)
    item = models.CharField(max_length=200)
    turn = models.IntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    commitment = models.CharField(max_length=64)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="evidencecommitment_span_forward", condition=Q(end__gte=F("start"))
            ),
            models.CheckConstraint(
                name="evidencecommitment_form", condition=Q(commitment__regex=HEX_DIGEST)
            ),
        ]

    def __str__(self) -> str:
        return f"evidence of {self.phase} at turn {self.turn}"
