"""A calibration round: opened on fixed calls and text, rated blind, talked over, closed (4.6).

1. Nothing that is rated changes after the round was opened: the text is kept with it, each call by
   its transcript revision.
2. Until every rater is done nobody is shown what another said.
3. Every difference is decided in words before the round is closed; then its figures are computed
   once, with a seed that is kept.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from catalogs.core.canonical import digest as canonical_digest
from catalogs.core.document import Document, load_document
from catalogs.models import CatalogVersion, VersionState
from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import record
from oipsce_site.people.models import Site, User
from review.core.calibration import check_size
from review.models import (
    CalibrationCall,
    CalibrationRater,
    CalibrationRound,
    Call,
    Decision,
    RoundKind,
    RoundStateCode,
)
from review.permissions import (
    NotAllowed,
    check_can_calibrate,
    check_can_decide,
)
from review.queries.calibration import eligible_calls


class UnableToCalibrate(Exception):
    """The act on a round is refused; `field` names what to correct, `status` is the answer's."""

    def __init__(self, sentence: str, field: str = "", status: int = 422) -> None:
        super().__init__(sentence)
        self.field = field
        self.status = status


@dataclass(frozen=True, slots=True)
class RoundWish:
    """What a round is to be of. `draw` calls are drawn where none are named."""

    site: Site
    version_id: UUID
    calls: Sequence[UUID]
    raters: Sequence[UUID]
    draw: int = 0
    previous: UUID | None = None


def open_round(*, round_id: UUID, wish: RoundWish, by: User, at: datetime) -> UUID:
    """Open a round and fix what is rated. Raises NotAllowed or UnableToCalibrate."""
    role = check_can_calibrate(by, wish.site)
    with transaction.atomic():
        version = (
            CatalogVersion.objects.select_related("catalog").filter(pk=wish.version_id).first()
        )
        if version is None or version.state == VersionState.RETIRED:
            raise UnableToCalibrate("There is no such version to calibrate.", "version")
        document = _document(version)
        calls = _calls(wish, version)
        raters = _raters(wish, calls)
        wrong = check_size(len(calls), len(raters))
        if wrong:
            raise UnableToCalibrate(wrong, "calls" if "calls" in wrong else "raters")
        opened = CalibrationRound.objects.create(
            id=round_id,
            site=wish.site,
            kind=RoundKind.CATALOG,
            state=RoundStateCode.RATING,
            number=_number(wish.site, version),
            title=f"{version.catalog.slug} {version.version}",
            version=version,
            previous=_previous(wish, version),
            source=bytes(version.source),
            document_digest=version.digest,
            set_digest=_set_digest(version.digest, calls),
            phases=[phase.id for phase in document.phases],
            opened_by=by,
            role=role,
            opened_at=at,
        )
        _add_calls(opened, calls)
        _add_raters(opened, raters)
        facts: dict[str, Value] = {
            "version_id": str(version.id),
            "digest": version.digest,
            "set": opened.set_digest,
            "calls": [str(call.pk) for call in calls],
            "raters": [str(rater.pk) for rater in raters],
            "drawn": not wish.calls,
        }
        record_round("calibration.open", opened, person(by, role), at, facts)
    return round_id


def call_off_round(*, round_id: UUID, by: User, at: datetime) -> None:
    """End a round without a result. Raises NotAllowed, or UnableToCalibrate where it is over."""
    with transaction.atomic():
        found = lock_round(round_id)
        role = check_can_calibrate(by, found.site)
        if found.state not in (RoundStateCode.RATING, RoundStateCode.DIFFERING):
            raise UnableToCalibrate("The round is over already.", status=409)
        found.state, found.over_by, found.over_at = RoundStateCode.CALLED_OFF, by, at
        found.save(update_fields=["state", "over_by", "over_at"])
        record_round("calibration.call_off", found, person(by, role), at, {})


def lock_round(round_id: UUID) -> CalibrationRound:
    """Return a round, its row locked. Raises UnableToCalibrate where there is none."""
    rounds = CalibrationRound.objects.select_for_update(of=("self",)).select_related("site")
    found = rounds.filter(pk=round_id).first()
    if found is None:
        raise UnableToCalibrate("There is no such round.", status=404)
    return found


def record_round(
    kind: str,
    found: CalibrationRound,
    actor: Actor,
    at: datetime,
    facts: dict[str, Value],
) -> None:
    """Write an act on a round into the chain of its site."""
    record(
        chain_id=found.site_id,
        about=About.SITE,
        kind=kind,
        by=actor,
        at=at,
        facts={"round_id": str(found.pk), **facts},
    )


def _document(version: CatalogVersion) -> Document:
    document, _ = load_document(bytes(version.source))
    if document is None:
        raise UnableToCalibrate(
            "The version cannot be read: mend what its lint says first.", "version"
        )
    return document


def _calls(wish: RoundWish, version: CatalogVersion) -> list[Call]:
    eligible = eligible_calls(wish.site.pk, version.catalog_id)
    if wish.calls:
        found = {call.pk: call for call in eligible.filter(pk__in=wish.calls)}
        if len(found) != len(set(wish.calls)):
            raise UnableToCalibrate(
                "One of these calls cannot be rated at this site any more. Choose again.", "calls"
            )
        return [found[call_id] for call_id in dict.fromkeys(wish.calls)]
    ids = list(eligible.values_list("pk", flat=True))
    if len(ids) < wish.draw:
        raise UnableToCalibrate(
            f"The site has {len(ids)} calls that can be rated, fewer than {wish.draw}.", "draw"
        )
    drawn = secrets.SystemRandom().sample(ids, wish.draw)
    return list(eligible.filter(pk__in=drawn))


def _raters(wish: RoundWish, calls: Sequence[Call]) -> list[User]:
    raters = list(User.objects.filter(pk__in=wish.raters).order_by("printed_name", "pk"))
    knowing = set(
        Decision.objects.filter(call__in=calls, by__in=raters).values_list("by_id", flat=True)
    )
    for rater in raters:
        try:
            check_can_decide(rater, wish.site)
        except NotAllowed as refusal:
            raise UnableToCalibrate(
                f"{rater.printed_name} does not review calls of this site.", "raters"
            ) from refusal
        if rater.pk in knowing:
            raise UnableToCalibrate(
                f"{rater.printed_name} has decided rows of one of these calls and cannot rate it "
                "blind. Choose another call or another rater.",
                "raters",
            )
    return raters


def _previous(wish: RoundWish, version: CatalogVersion) -> CalibrationRound | None:
    rounds = CalibrationRound.objects.filter(site=wish.site, version__catalog=version.catalog_id)
    return rounds.filter(pk=wish.previous).first() if wish.previous else None


def _number(site: Site, version: CatalogVersion) -> int:
    rounds = CalibrationRound.objects.filter(site=site, version__catalog=version.catalog_id)
    return rounds.count() + 1


def _set_digest(document_digest: str, calls: Sequence[Call]) -> str:
    named = [[str(one.pk), one.transcript_revision, one.transcript_digest] for one in calls]
    return canonical_digest(
        {"domain": "oip-sce/calibration-set/v1", "document": document_digest, "calls": named}
    )


def _add_calls(opened: CalibrationRound, calls: Sequence[Call]) -> None:
    CalibrationCall.objects.bulk_create(
        CalibrationCall(
            round=opened,
            position=position,
            call=call,
            name=call.external_id[:500],
            transcript_revision=call.transcript_revision,
            transcript_digest=call.transcript_digest,
        )
        for position, call in enumerate(calls, start=1)
    )


def _add_raters(opened: CalibrationRound, raters: Sequence[User]) -> None:
    CalibrationRater.objects.bulk_create(
        CalibrationRater(round=opened, position=position, person=rater, name=rater.printed_name)
        for position, rater in enumerate(raters, start=1)
    )
