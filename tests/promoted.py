"""Signed calls on which a model's answers can be measured, and a promotion that is in force."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.actions.decisions import decide
from review.core.decisions import Ask, Kind, PointValue, Span
from review.models import PhaseRow, Promotion
from review.queries.promotions import current_digests
from tests.adjudicated import ASKED, BORN, COVERED, QUOTE, SHARE, heard_call
from tests.factories import make_person, make_site
from tests.scripted_model import MODEL
from tests.signed import sign_stored

ANSWERED = f"{MODEL}-2026"
PROVEN = {
    "rows": 90,
    "calls": 90,
    "kappa": ["1", "1", "1"],
    "recall": [80, 80],
    "flips": [0, 270],
}


def put_in_force(
    phase: str = "DCC", site: Site | None = None, language: str = "en-US"
) -> Promotion:
    """Have a promotion in force for what a site asks today."""
    at = datetime.now(UTC)
    site = site or make_site()
    [digest] = current_digests(site.pk)[phase]
    return Promotion.objects.create(
        id=uuid4(),
        site=site,
        phase=phase,
        language=language,
        digest=digest,
        answered=ANSWERED,
        asked_by=make_person(Role.CATALOG_APPROVER),
        asked_role=Role.CATALOG_APPROVER,
        asked_at=at - timedelta(hours=3),
        asked_figures=PROVEN,
        stands_by=make_person(Role.ADMINISTRATOR),
        stands_role=Role.ADMINISTRATOR,
        stands_at=at - timedelta(hours=2),
        stands_figures=PROVEN,
        measured_at=at - timedelta(hours=2),
    )


def signed_call(number: int, *, present: bool, by: User | None = None) -> UUID:
    """Have a call signed whose share of costs was said and found by a person, or was not said."""
    said = f"{SHARE[1]} That is {number}." if present else f"More by mail, number {number}."
    call_id = heard_call(ASKED, BORN, COVERED, ("agent", said), name=f"signed-{number}-{present}")
    settle(call_id, present=present, by=by)
    return call_id


def settle(call_id: UUID, *, present: bool, turn: int = 4, by: User | None = None) -> None:
    """Decide the row that the patterns left open, and sign the call."""
    by = by or make_person(Role.SENIOR_REVIEWER)
    asks = [Ask(Kind.CONFIRM, "DCC")]
    if present:
        item = "told"
        start = SHARE[1].index(QUOTE)
        span = Span(item, turn, start, start + len(QUOTE))
        asks = [
            Ask(Kind.SET_EVIDENCE, "DCC", value=span, reason="it was said"),
            Ask(Kind.SET_START, "DCC", value=PointValue(turn), reason="it was said"),
            Ask(Kind.SET_FINISH, "DCC", value=PointValue(turn), reason="it was said"),
        ]
    for asked in asks:
        row = PhaseRow.objects.get(call=call_id, phase="DCC")
        decide(
            call_id=call_id,
            decision=asked,
            expected_revision=row.revision,
            key=uuid4(),
            by=by,
            at=datetime.now(UTC),
        )
    sign_stored(call_id, by)
