"""The rows a reviewer sees: a projection of proposals and decisions, one per phase."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from review.models.call import Call


class PointState(models.TextChoices):
    """Whether a start or finish is a turn, or why there is none."""

    TURN = "TURN", "turn"
    NEVER = "NEVER", "never"
    UNKNOWN = "UNKNOWN", "unknown"


class VerdictCode(models.TextChoices):
    """The state of a phase at the end of the call."""

    PASS = "PASS", "pass"
    FAIL = "FAIL", "fail"
    UNKNOWN = "UNKNOWN", "unknown"


class RequiredCode(models.TextChoices):
    """Whether a phase is owed."""

    YES = "YES", "yes"
    NO = "NO", "no"
    UNKNOWN = "UNKNOWN", "unknown"


def point_checks(model: str) -> list[models.BaseConstraint]:
    """Return the constraints that every table of starts, finishes and verdicts has."""
    turn = PointState.TURN
    return [
        models.CheckConstraint(
            name=f"{model}_start_turn_iff_turn",
            condition=Q(start_state=turn, start_turn__isnull=False)
            | (~Q(start_state=turn) & Q(start_turn__isnull=True)),
        ),
        models.CheckConstraint(
            name=f"{model}_finish_turn_iff_turn",
            condition=Q(finish_state=turn, finish_turn__isnull=False)
            | (~Q(finish_state=turn) & Q(finish_turn__isnull=True)),
        ),
        models.CheckConstraint(
            name=f"{model}_codes_known",
            condition=Q(
                start_state__in=PointState.values,
                finish_state__in=PointState.values,
                verdict__in=VerdictCode.values,
                required__in=RequiredCode.values,
            ),
        ),
        models.CheckConstraint(
            name=f"{model}_pass_has_finish",
            condition=~Q(verdict=VerdictCode.PASS) | Q(finish_state=turn),
        ),
        models.CheckConstraint(
            name=f"{model}_start_before_finish",
            condition=Q(volunteered=True)
            | Q(start_turn__isnull=True)
            | Q(finish_turn__isnull=True)
            | Q(start_turn__lte=F("finish_turn")),
        ),
    ]


class StandingCode(models.TextChoices):
    """`review.core.decisions.Standing` as the database keeps it."""

    PROPOSED = "PROPOSED", "proposed"
    CONFIRMED = "CONFIRMED", "confirmed"
    DOUBTED = "DOUBTED", "in doubt"


class PhaseRow(models.Model):
    """One phase of one call as it stands now: `rebuild_rows` makes the same of what was stored.

    - `touched_at` is set by the first decision of a person; a pre-fill never overwrites such a row.
    - `revision` grows with each pre-fill that may fill the row and each decision on it.
    - `decided_by` and `decided_at` are of the latest decision that stands.
    - `needs_second`: a second person must confirm the row before the call can be signed.
    """

    id = models.BigAutoField(primary_key=True)
    call = models.ForeignKey(Call, on_delete=models.PROTECT, db_index=False, related_name="rows")
    phase = models.CharField(max_length=200)
    position = models.PositiveIntegerField()
    start_state = models.CharField(max_length=8, choices=PointState.choices)
    start_turn = models.IntegerField(null=True)
    finish_state = models.CharField(max_length=8, choices=PointState.choices)
    finish_turn = models.IntegerField(null=True)
    verdict = models.CharField(max_length=8, choices=VerdictCode.choices)
    required = models.CharField(max_length=8, choices=RequiredCode.choices)
    volunteered = models.BooleanField()
    flags = ArrayField(models.CharField(max_length=64), default=list)
    touched_at = models.DateTimeField(null=True)
    revision = models.PositiveIntegerField(default=1, db_default=1)
    standing = models.CharField(
        max_length=16,
        choices=StandingCode.choices,
        default=StandingCode.PROPOSED,
        db_default=StandingCode.PROPOSED,
    )
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True
    )
    decided_at = models.DateTimeField(null=True)
    needs_second = models.BooleanField(default=False, db_default=False)

    class Meta:
        ordering: ClassVar[list[str]] = ["call", "position"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                name="phaserow_settled",
                fields=["decided_at"],
                condition=Q(standing=StandingCode.CONFIRMED),
            ),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="phaserow_once", fields=["call", "phase"]),
            models.CheckConstraint(
                name="phaserow_decided_by_somebody",
                condition=Q(
                    standing=StandingCode.PROPOSED, decided_by__isnull=True, decided_at__isnull=True
                )
                | Q(
                    standing__in=(StandingCode.CONFIRMED, StandingCode.DOUBTED),
                    decided_by__isnull=False,
                    decided_at__isnull=False,
                    touched_at__isnull=False,
                ),
            ),
            *point_checks("phaserow"),
        ]

    def __str__(self) -> str:
        return f"{self.phase} of {self.call_id}"
