"""What a program may know of a call of its site: its state, and what was decided, without words."""

from __future__ import annotations

import json
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F

from review.core.evaluation import Report, report_from_json
from review.models import Call, Evaluation, State


@dataclass(frozen=True, slots=True)
class CallStanding:
    """A stored call: where it stands, and its latest report (None before there is one).

    A verdict is provisional until somebody has signed it.
    """

    id: UUID
    external_id: str
    source: str
    state: str
    sentence: str
    is_signed: bool
    is_erased: bool
    report: Report | None


@dataclass(frozen=True, slots=True)
class RunningStanding:
    """A running call as far as it was told. Without a report `unjudged` says why."""

    id: UUID
    external_id: str
    has_ended: bool
    turns: int
    last_turn: int | None
    unjudged: str
    report: Report | None


def get_standing(site_id: UUID, call_id: UUID) -> CallStanding | None:
    """Return a call of the site, in two queries; None for any other, as for one not there."""
    call = (
        Call.objects.filter(pk=call_id, site=site_id)
        .only("external_id", "source", "state", "needs_mapping", "erased_at")
        .first()
    )
    if call is None:
        return None
    # What people decided last counts before what was filled in last.
    latest = Evaluation.objects.filter(call=call).order_by(
        F("decision_id").desc(nulls_last=True), "-made_at", "-id"
    )
    text = latest.values_list("report", flat=True).first()
    return CallStanding(
        id=call.pk,
        external_id=call.external_id,
        source=call.source,
        state=call.state.lower(),
        sentence=call.needs_mapping,
        is_signed=call.state == State.SIGNED,
        is_erased=call.erased_at is not None,
        report=report_from_json(json.loads(text)) if text else None,
    )
