"""What raters said in calibration rounds: their ratings, where they differ, what was decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from catalogs.core.document import Document, load_document
from oipsce_site.people.models import User
from review.core.agreement import RatedCall
from review.core.calibration import (
    Difference,
    Rating,
    Said,
    differences_of,
    edges_of,
    rated_calls,
    rating_from_json,
)
from review.core.predicates.plan import plan_of
from review.core.transcript.storing import attributes_from_plain
from review.models import (
    CalibrationCall,
    CalibrationDecision,
    CalibrationRater,
    CalibrationRating,
    CalibrationRound,
    Call,
    RoundKind,
)

Ratings = Mapping[str, Rating]


@lru_cache(maxsize=32)
def round_document(round_id: UUID) -> Document:
    """Return the catalog that a round is rated by. Raises ValueError where it has none."""
    source = CalibrationRound.objects.values_list("source", flat=True).get(pk=round_id)
    document, _ = load_document(bytes(source))
    if document is None:
        raise ValueError(f"the text of calibration round {round_id} cannot be read")
    return document


def own_ratings(user: User, round_id: UUID, position: int) -> dict[str, Rating]:
    """Return what a rater has said of one call so far, by phase."""
    said = CalibrationRating.objects.filter(
        rater__round=round_id, rater__person=user, call__position=position
    )
    return _latest(said)


def _latest(said: QuerySet[CalibrationRating]) -> dict[str, Rating]:
    rows = said.order_by("pk").values_list("phase", "value")
    return {phase: rating_from_json(value) for phase, value in rows}


def _all_ratings(
    round_id: UUID, calls: Sequence[CalibrationCall], raters: Sequence[CalibrationRater]
) -> list[list[Ratings]]:
    """Return what every rater said, by call and then rater."""
    found: dict[tuple[int, int], dict[str, Rating]] = {}
    rows = CalibrationRating.objects.filter(rater__round=round_id).order_by("pk")
    for rater, call, phase, value in rows.values_list("rater_id", "call_id", "phase", "value"):
        found.setdefault((call, rater), {})[phase] = rating_from_json(value)
    return [[found.get((call.pk, rater.pk), {}) for rater in raters] for call in calls]


@dataclass(frozen=True, slots=True)
class DecidedLine:
    """What was decided on a difference: who was right (a rater's name, or none), and the words."""

    right: str
    why: str
    change: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class PlacedDifference:
    """A difference on one call of a round, and what was decided on it, if anything was."""

    position: int
    difference: Difference
    decision: DecidedLine | None


def differences_of_round(round_id: UUID) -> tuple[PlacedDifference, ...]:
    """Return the differences of a round, by call and row. Only for rounds that all have rated."""
    one = CalibrationRound.objects.get(pk=round_id)
    calls, raters = list(one.calls.all()), list(one.raters.all())
    if one.kind == RoundKind.CHECKLIST:
        return _differing_marks(one, calls)
    names = {rater.position: rater.name for rater in raters}
    decided = _decisions(round_id, names)
    return tuple(
        PlacedDifference(call.position, difference, decided.get((call.pk, difference.phase)))
        for call, said in zip(calls, _all_ratings(round_id, calls, raters), strict=True)
        for difference in differences_of(one.phases, said)
    )


def _differing_marks(
    one: CalibrationRound, calls: Sequence[CalibrationCall]
) -> tuple[PlacedDifference, ...]:
    """Return the items that all have on their lists and mark differently."""
    return tuple(
        PlacedDifference(call.position, Difference(item, (Said("Mark", marks),)), None)
        for call, table in zip(calls, marks_of(one), strict=True)
        for item, marks in table.items()
        if None not in marks and len(set(marks)) > 1
    )


def marks_of(one: CalibrationRound) -> list[dict[str, tuple[str | None, ...]]]:
    """Return of a checklist round, by call and item, the mark that each rater gave."""
    raters = list(one.raters.values_list("pk", flat=True))
    found: dict[int, dict[str, dict[int, str]]] = {}
    rows = CalibrationRating.objects.filter(rater__round=one.pk).order_by("pk")
    for rater, call, item, value in rows.values_list("rater_id", "call_id", "phase", "value"):
        found.setdefault(call, {}).setdefault(item, {})[rater] = value["mark"]
    return [
        {
            item: tuple(given.get(rater) for rater in raters)
            for item, given in found.get(call, {}).items()
        }
        for call in one.calls.values_list("pk", flat=True)
    ]


def _decisions(round_id: UUID, names: Mapping[int, str]) -> dict[tuple[int, str], DecidedLine]:
    rows = CalibrationDecision.objects.filter(round=round_id).select_related("by").order_by("pk")
    return {
        (row.call_id, row.phase): DecidedLine(
            "" if row.right is None else names.get(row.right, ""),
            row.why,
            row.change,
            row.by.printed_name,
            row.at,
        )
        for row in rows
    }


def rated_calls_of(one: CalibrationRound) -> tuple[RatedCall, ...]:
    """Return the calls of a round with what every rater said, as agreement is measured on them."""
    calls = list(one.calls.select_related("call"))
    said = _all_ratings(one.pk, calls, list(one.raters.all()))
    if not bytes(one.source):
        return rated_calls(one.phases, said, [[{} for _ in raters] for raters in said])
    plan = plan_of(round_document(one.pk))
    edges = []
    for call, raters in zip(calls, said, strict=True):
        attributes = _scalars(call.call)
        ended = None if call.call is None else call.call.ended
        edges.append(
            [edges_of(plan, rater, attributes=attributes, ended=ended) for rater in raters]
        )
    return rated_calls(one.phases, said, edges)


def _scalars(call: Call | None) -> dict[str, Any]:
    if call is None:
        return {}
    plain = attributes_from_plain(call.attributes)
    return {name: value for name, value in plain.items() if not isinstance(value, tuple)}
