"""What a rater does in a calibration round: reads a call blind, rates its rows, says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from catalogs.core.canonical import digest as canonical_digest
from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.chain import read_body
from oipsce_site.ledger.core.entry import About
from oipsce_site.ledger.queries import entries_of
from oipsce_site.ledger.record import record
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from review.actions.calibration import UnableToCalibrate, lock_round, record_round
from review.actions.sealed import unseal_call
from review.core.calibration import (
    Rating,
    RefusedRating,
    check_rating,
    rating_to_json,
)
from review.core.masking import masker_of
from review.core.predicates.plan import plan_of
from review.core.transcript import Call as CallValue
from review.models import (
    CalibrationCall,
    CalibrationRater,
    CalibrationRating,
    CalibrationRound,
    Call,
    RoundStateCode,
)
from review.permissions import check_can_decide
from review.queries.ratings import round_document
from review.queries.reveals import revealed_until


@dataclass(frozen=True, slots=True)
class _Own:
    """A round that a rater is at, its row locked."""

    found: CalibrationRound
    rater: CalibrationRater
    role: Role


def open_for_rating(*, round_id: UUID, position: int, by: User, at: datetime) -> CallValue:
    """Return the words of one call of a round, as they were when it was opened.

    The log has it that `by` opened them to rate them. Where the site masks identifiers they are
    masked here too, unless `by` has revealed those of this call. Raises NotAllowed, or
    UnableToCalibrate where there is no such call in a round of theirs; SealBroken for words that do
    not open.
    """
    with transaction.atomic(durable=True):
        rater = _rater(round_id, by)
        rated = _call(round_id, position)
        stored = _stored(rated)
        role = check_can_decide(by, stored.site)
        record(
            chain_id=stored.id,
            about=About.CALL,
            kind="calibration.read",
            by=person(by, role),
            at=at,
            facts={
                "round_id": str(rater.round_id),
                "transcript_revision": rated.transcript_revision,
            },
        )
    call = unseal_call(stored, rated.transcript_revision)
    masks = stored.site.masks_identifiers and revealed_until(stored.pk, by, at) is None
    return masker_of(call).call(call) if masks else call


@dataclass(frozen=True, slots=True)
class RatedRow:
    """A row of a round's call, by the call's position and the phase, as a rater has it."""

    position: int
    phase: str
    rating: Rating


def rate_row(*, round_id: UUID, row: RatedRow, key: UUID, by: User, at: datetime) -> None:
    """Keep what a rater says of one row; said again, the last stands. `key` applies a form once.

    Raises NotAllowed, or UnableToCalibrate with the field to correct.
    """
    with transaction.atomic():
        own = _own(round_id, by)
        rated = _call(round_id, row.position)
        _check(own.found, rated, row.phase, row.rating)
        if own.rater.ratings.filter(key=key).exists():
            return
        value = rating_to_json(row.rating)
        CalibrationRating.objects.create(
            rater=own.rater, call=rated, phase=row.phase, value=value, key=key, at=at
        )
        facts = {"call": str(rated.call_id), "phase": row.phase, "value": canonical_digest(value)}
        record_round("calibration.rate", own.found, person(by, own.role), at, {**facts})


def finish_rating(*, round_id: UUID, by: User, at: datetime) -> bool:
    """Say that one has rated every row of every call; returns whether all raters have by now.

    Raises NotAllowed, or UnableToCalibrate while a row is open.
    """
    with transaction.atomic():
        own = _own(round_id, by)
        left = _left(own)
        if left:
            raise UnableToCalibrate(
                f"{left} {'row is' if left == 1 else 'rows are'} not rated yet.", status=409
            )
        own.rater.done_at = at
        own.rater.seen_before = any(
            _has_opened(one.call_id, by) for one in own.found.calls.all() if one.call_id
        )
        own.rater.save(update_fields=["done_at", "seen_before"])
        is_last = not own.found.raters.filter(done_at__isnull=True).exists()
        if is_last:
            own.found.state, own.found.rated_at = RoundStateCode.DIFFERING, at
            own.found.save(update_fields=["state", "rated_at"])
        record_round(
            "calibration.rated",
            own.found,
            person(by, own.role),
            at,
            {"seen_before": own.rater.seen_before, "all": is_last},
        )
    return is_last


def _own(round_id: UUID, by: User) -> _Own:
    found = lock_round(round_id)
    rater = _rater(round_id, by)
    role = check_can_decide(by, found.site)
    if found.state != RoundStateCode.RATING:
        raise UnableToCalibrate("The rating is over, so nothing was kept.", status=409)
    if rater.done_at is not None:
        raise UnableToCalibrate("You have said that you are done with this round.", status=409)
    return _Own(found, rater, role)


def _rater(round_id: UUID, by: User) -> CalibrationRater:
    rater = CalibrationRater.objects.filter(round=round_id, person=by).first()
    if rater is None:
        raise UnableToCalibrate("There is no such round.", status=404)
    return rater


def _call(round_id: UUID, position: int) -> CalibrationCall:
    calls = CalibrationCall.objects.select_related("call__site")
    rated = calls.filter(round=round_id, position=position).first()
    if rated is None or rated.call_id is None:
        raise UnableToCalibrate("There is no such call in this round.", status=404)
    return rated


def _stored(rated: CalibrationCall) -> Call:
    if rated.call is None:
        raise UnableToCalibrate("There is no such call in this round.", status=404)
    if rated.call.erased_at is not None:
        raise UnableToCalibrate(
            "The words of this call were erased, so the round cannot be finished. Who holds it "
            "calls it off.",
            status=409,
        )
    return rated.call


def _check(found: CalibrationRound, rated: CalibrationCall, phase: str, rating: Rating) -> None:
    document = round_document(found.pk)
    rule = next((one for one in plan_of(document).phases if one.id == phase), None)
    if rule is None or rated.call is None:
        raise UnableToCalibrate("The catalog has no such row.", status=404)
    items = [one.id for one in document.phase(phase).accept]
    if [one.item for one in rating.items] != items:
        raise UnableToCalibrate("The items are not those of the catalog. Load the page again.")
    turns = rated.call.turns.filter(revision=rated.transcript_revision)
    numbers = frozenset(turns.values_list("number", flat=True))
    try:
        check_rating(
            rating, numbers, ended=rated.call.ended is True, may_volunteer=rule.may_volunteer
        )
    except RefusedRating as refusal:
        raise UnableToCalibrate(str(refusal), refusal.field) from refusal


def _left(own: _Own) -> int:
    rated = set(own.rater.ratings.values_list("call_id", "phase"))
    calls = own.found.calls.values_list("pk", flat=True)
    return sum((call, phase) not in rated for call in calls for phase in own.found.phases)


def _has_opened(call_id: UUID | None, person_: User) -> bool:
    """Say whether the log has it that a person opened a call with all that was found on it."""
    if call_id is None:
        return False
    for entry in entries_of(call_id):
        body: Mapping[str, Any] = read_body(entry.body)
        is_theirs = body["type"] == "call.open" and body["actor"]["id"] == str(person_.pk)
        if is_theirs and "reading" not in body["facts"]:
            return True
    return False
