"""Several rows confirmed in one act: those without flag or doubt (design 4.2)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID, uuid5

from django.db import transaction

from oipsce_site.people.models import User
from review.actions.decisions import Taken, UnableToDecide, decide
from review.core.cascade.triage import FlagCode
from review.core.decisions import Ask, Kind
from review.models import PhaseRow, StandingCode
from review.permissions import NotAllowed


def confirm_rows(
    *, call_id: UUID, revisions: Mapping[str, int], key: UUID, by: User, at: datetime
) -> Taken:
    """Confirm these rows of a call as they were shown, all or none; returns the last decision.

    `revisions` are those that the person saw, by phase. Raises what `decide` raises, NotAllowed for
    a row at a critical edge, and UnableToDecide for one that is flagged or in doubt.
    """
    if not revisions:
        raise UnableToDecide("No row is left to confirm together.")
    with transaction.atomic():
        _check_free(call_id, revisions)
        for phase, revision in revisions.items():
            taken = decide(
                call_id=call_id,
                decision=Ask(Kind.CONFIRM, phase),
                expected_revision=revision,
                key=uuid5(key, phase),
                by=by,
                at=at,
            )
    return taken


def _check_free(call_id: UUID, revisions: Mapping[str, int]) -> None:
    rows = PhaseRow.objects.select_for_update().filter(call_id=call_id, phase__in=list(revisions))
    for row in rows.order_by("position"):
        if FlagCode.SAFETY_CRITICAL.value in row.flags:
            raise NotAllowed(f"{row.phase} is at a critical edge: it is confirmed by itself.")
        if row.flags or row.standing == StandingCode.DOUBTED:
            raise UnableToDecide(f"{row.phase} is flagged or in doubt: look at it by itself.")
