"""What is decided on differences between raters, and the end of a round with its figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Any
from uuid import UUID

from django.db import transaction

from catalogs.actions.calibration import Calibrated, record_calibration
from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import commit_text
from oipsce_site.ledger.record import new_nonce
from oipsce_site.people.models import User
from review.actions.calibration import UnableToCalibrate, lock_round, record_round
from review.core.agreement import Measured, measure_agreement, measured_to_json
from review.core.calibration import summary
from review.models import CalibrationDecision, CalibrationRound, RoundStateCode
from review.permissions import check_can_calibrate
from review.queries.ratings import differences_of_round, rated_calls_of

#: How often calls are drawn for an interval.
DRAWS = 2_000
_MOST_WORDS = 2_000


@dataclass(frozen=True, slots=True)
class Decided:
    """What was decided on one difference: `right` is a rater's position, None for none of them."""

    position: int
    phase: str
    right: int | None
    why: str
    change: str = ""


def decide_difference(
    *, round_id: UUID, decided: Decided, key: UUID, by: User, at: datetime
) -> None:
    """Write down what was decided on a difference; decided again, the last stands.

    Raises NotAllowed, or UnableToCalibrate with the field to correct.
    """
    with transaction.atomic():
        found = lock_round(round_id)
        role = check_can_calibrate(by, found.site)
        _check_differing(found)
        _check_decided(found, decided)
        if found.decisions.filter(key=key).exists():
            return
        nonce = new_nonce()
        CalibrationDecision.objects.create(
            round=found,
            call=found.calls.get(position=decided.position),
            phase=decided.phase,
            right=decided.right,
            why=decided.why,
            change=decided.change,
            nonce=nonce,
            key=key,
            by=by,
            at=at,
        )
        facts: dict[str, Value] = {
            "position": decided.position,
            "phase": decided.phase,
            "right": decided.right,
            "why": commit_text(nonce, decided.why),
            "change": commit_text(nonce, decided.change) if decided.change else None,
        }
        record_round("calibration.decide", found, person(by, role), at, facts)


def close_round(*, round_id: UUID, report_id: UUID, seed: str, by: User, at: datetime) -> None:
    """Compute the figures once, keep them, and record the calibration of the version's text.

    `seed` is what calls are drawn with; it is kept. Raises NotAllowed, or UnableToCalibrate while a
    difference is not decided.
    """
    with transaction.atomic():
        found = lock_round(round_id)
        role = check_can_calibrate(by, found.site)
        _check_differing(found)
        left = sum(not one.decision for one in differences_of_round(found.pk))
        if left:
            raise UnableToCalibrate(
                f"{left} {'difference is' if left == 1 else 'differences are'} not decided yet.",
                status=409,
            )
        figures = figures_of(found, seed)
        found.state, found.over_by, found.over_at = RoundStateCode.CLOSED, by, at
        found.seed, found.draws, found.figures = seed, DRAWS, figures
        found.save(update_fields=["state", "over_by", "over_at", "seed", "draws", "figures"])
        record_round(
            "calibration.close",
            found,
            person(by, role),
            at,
            {"report_id": str(report_id), "seed": seed},
        )
        if found.version_id is not None:
            calibrated = Calibrated(found.document_digest, found.pk, figures["summary"], figures)
            record_calibration(
                version_id=found.version_id,
                report_id=report_id,
                calibrated=calibrated,
                by=by,
                role=role,
                at=at,
            )


def figures_of(found: CalibrationRound, seed: str) -> dict[str, Any]:
    """Return the figures of a round as plain values, with what they were drawn with."""
    calls = rated_calls_of(found)
    return plain_figures(found, measure_agreement(calls, draw_calls(len(calls), seed)), seed)


def draw_calls(calls: int, seed: str) -> list[list[int]]:
    """Return the calls that an interval draws, by their positions from 0: the same for a seed."""
    chance = Random(seed)  # noqa: S311 - drawn anew by whoever has the seed
    return [chance.choices(range(calls), k=calls) for _ in range(DRAWS)]


def plain_figures(
    found: CalibrationRound, measured: Sequence[Measured], seed: str
) -> dict[str, Any]:
    """Return figures as they are kept: with the size of the round and what they were drawn with."""
    calls, raters = found.calls.count(), list(found.raters.all())
    return {
        "round": found.number,
        "calls": calls,
        "raters": len(raters),
        "not_blind": sum(rater.seen_before for rater in raters),
        "set": found.set_digest,
        "seed": seed,
        "draws": DRAWS,
        "summary": summary(measured, calls=calls, raters=len(raters), number=found.number),
        "measures": [measured_to_json(one) for one in measured],
    }


def _check_differing(found: CalibrationRound) -> None:
    if found.state == RoundStateCode.RATING:
        raise UnableToCalibrate("Not all raters are done yet.", status=409)
    if found.state != RoundStateCode.DIFFERING:
        raise UnableToCalibrate("The round is over, so nothing was kept.", status=409)


def _check_decided(found: CalibrationRound, decided: Decided) -> None:
    places = {(one.position, one.difference.phase) for one in differences_of_round(found.pk)}
    if (decided.position, decided.phase) not in places:
        raise UnableToCalibrate("The raters do not differ on this row.", status=404)
    if not decided.why.strip():
        raise UnableToCalibrate("Say why, in words: the next round is rated by it.", "why")
    for field, words in (("why", decided.why), ("change", decided.change)):
        if len(words) > _MOST_WORDS:
            raise UnableToCalibrate(f"At most {_MOST_WORDS:,} characters.", field)
    if decided.right is not None and not found.raters.filter(position=decided.right).exists():
        raise UnableToCalibrate("There is no such rater.", "right")
