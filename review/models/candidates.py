"""Candidates by wording: turns to look at first, beside the rows and never in them."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from review.models.adjudication import MOST_ATTEMPTS, AskingState
from review.models.call import HEX_DIGEST, Call
from review.models.proposal import PrefillRun


class CatalogWording(models.Model):
    """The vectors of a catalog version's texts, made once by each model (insert-only).

    They are in the order of the texts, which `texts_digest` is of; no word of a call is in them.
    """

    id = models.BigAutoField(primary_key=True)
    catalog_digest = models.CharField(max_length=64)
    model_digest = models.CharField(max_length=64)
    texts_digest = models.CharField(max_length=64)
    vectors = models.BinaryField()
    made_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                name="catalogwording_once",
                fields=["catalog_digest", "model_digest", "texts_digest"],
            ),
            models.CheckConstraint(
                name="catalogwording_digest_form",
                condition=Q(catalog_digest__regex=HEX_DIGEST)
                & Q(model_digest__regex=HEX_DIGEST)
                & Q(texts_digest__regex=HEX_DIGEST),
            ),
        ]

    def __str__(self) -> str:
        return f"wording of catalog {self.catalog_digest[:12]}"


class CandidateSearch(models.Model):
    """The search for candidates of one pre-fill as a job under a lease. `attempts` fences."""

    run = models.OneToOneField(
        PrefillRun, on_delete=models.PROTECT, primary_key=True, related_name="candidate_search"
    )
    state = models.CharField(max_length=8, choices=AskingState.choices)
    attempts = models.PositiveSmallIntegerField()
    lease_until = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="candidatesearch_leased_iff_running",
                condition=Q(state="RUNNING", lease_until__isnull=False, ended_at__isnull=True)
                | Q(state="DONE", lease_until__isnull=True, ended_at__isnull=False),
            ),
            models.CheckConstraint(
                name="candidatesearch_attempts_bounded", condition=Q(attempts__lte=MOST_ATTEMPTS)
            ),
        ]

    def __str__(self) -> str:
        return f"search for candidates of {self.run_id}"


class CandidateTurns(models.Model):
    """What one search found: ``[phase, item, [turn, ...]]`` for each open item, the nearest first.

    Insert-only, without a word of the call, and read by nothing that judges. The digests say by
    which model, over which transcript and which texts of which catalog.
    """

    run = models.OneToOneField(
        PrefillRun, on_delete=models.PROTECT, primary_key=True, related_name="candidate_turns"
    )
    call = models.ForeignKey(Call, on_delete=models.PROTECT, related_name="candidate_turns")
    model = models.CharField(max_length=200)
    model_digest = models.CharField(max_length=64)
    transcript_digest = models.CharField(max_length=64)
    catalog_digest = models.CharField(max_length=64)
    texts_digest = models.CharField(max_length=64)
    places = models.JSONField()
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                name="candidateturns_digest_form",
                condition=Q(model_digest__regex=HEX_DIGEST) & Q(texts_digest__regex=HEX_DIGEST),
            ),
        ]

    def __str__(self) -> str:
        return f"candidates of {self.call_id}"
