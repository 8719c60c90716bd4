"""Turns and events of a call; what was said, and what a tool was told and answered, is sealed."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from review.models.call import Call


class TurnKindCode(models.TextChoices):
    """`review.core.transcript.TurnKind` as the database keeps it."""

    SPEECH = "SPEECH", "speech"
    IVR = "IVR", "phone menu"
    HOLD = "HOLD", "hold"
    TOOL_CALL = "TOOL_CALL", "tool call"
    TOOL_RESULT = "TOOL_RESULT", "tool result"
    OTHER = "OTHER", "other"


class EventSourceCode(models.TextChoices):
    """`review.core.transcript.EventSource` as the database keeps it."""

    TOOL = "TOOL", "tool"
    UI = "UI", "screen"


class Turn(models.Model):
    """One turn of one transcript revision. `sealed` opens at slot ``turn:NUMBER``.

    `sealed_nonce` opens at slot ``turn_nonce:NUMBER``: the nonce of every evidence commitment of
    this turn, so that erasing the call's key makes them mute. From revision 2 on a slot says which
    (``turn:r2:NUMBER``).
    """

    id = models.BigAutoField(primary_key=True)
    call = models.ForeignKey(Call, on_delete=models.PROTECT, db_index=False, related_name="turns")
    # The database's own default serves the rows of before there were revisions.
    revision = models.PositiveIntegerField(default=1, db_default=1)
    number = models.IntegerField()
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=16, choices=TurnKindCode.choices)
    speaker = models.TextField()
    role = models.TextField(null=True)
    start_ms = models.BigIntegerField(null=True)
    end_ms = models.BigIntegerField(null=True)
    flags = models.JSONField()
    sealed = models.BinaryField()
    sealed_nonce = models.BinaryField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(name="turn_number_once", fields=["call", "revision", "number"]),
            models.UniqueConstraint(
                name="turn_position_once", fields=["call", "revision", "position"]
            ),
            models.CheckConstraint(name="turn_number_from_zero", condition=Q(number__gte=0)),
            models.CheckConstraint(
                name="turn_kind_known", condition=Q(kind__in=TurnKindCode.values)
            ),
        ]

    def __str__(self) -> str:
        return f"turn {self.number} of {self.call_id}"


class Event(models.Model):
    """A tool call or a screen event; `sealed` (arguments, result) opens at ``event:POSITION``.

    From revision 2 on the slot says which (``event:r2:POSITION``).
    """

    id = models.BigAutoField(primary_key=True)
    call = models.ForeignKey(Call, on_delete=models.PROTECT, db_index=False, related_name="events")
    revision = models.PositiveIntegerField(default=1, db_default=1)
    position = models.PositiveIntegerField()
    event_id = models.TextField()
    source = models.CharField(max_length=8, choices=EventSourceCode.choices)
    name = models.TextField()
    turn = models.IntegerField(null=True)
    at_ms = models.BigIntegerField(null=True)
    result_turn = models.IntegerField(null=True)
    ok = models.BooleanField(null=True)
    call_key = models.TextField(null=True)
    sealed = models.BinaryField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                name="event_position_once", fields=["call", "revision", "position"]
            ),
            models.CheckConstraint(
                name="event_source_known", condition=Q(source__in=EventSourceCode.values)
            ),
        ]

    def __str__(self) -> str:
        return f"event {self.position} of {self.call_id}"
