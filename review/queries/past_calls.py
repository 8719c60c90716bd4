"""Past calls on which an author tries a draft: which there are, and their rows as they stand.

Their reach is that of what-ifs (matrix): ids, days, turns and verdicts, never a name or a word.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

from oipsce_site.people.matrix import Act, sites_reached
from oipsce_site.people.models import User
from oipsce_site.people.permitted import held_by, sites_in
from review.core.queue import BLIND_CLASSES, OPEN_STATES
from review.core.whatif import Standing
from review.models import (
    CalibrationCall,
    Call,
    PhaseRow,
    Reading,
    ReadingState,
    RequiredCode,
    RoundStateCode,
    State,
)
from review.queries.readings import hidden_from
from review.queries.what_if_calls import JUDGED_STATES, standing_rows

_OWED = {RequiredCode.YES: True, RequiredCode.NO: False, RequiredCode.UNKNOWN: None}


@dataclass(frozen=True, slots=True)
class PastCall:
    """A past call by its id; `opens` says whether this person may open it."""

    id: UUID
    site: str
    day: date | None
    is_signed: bool
    opens: bool


@dataclass(frozen=True, slots=True)
class PastRows:
    """The rows of a past call as they stand: start, finish and verdict; and what is owed."""

    rows: Mapping[str, Standing]
    required: Mapping[str, bool | None]
    is_signed: bool


def list_past_calls(user: User | AnonymousUser, catalog: str, *, most: int) -> list[PastCall]:
    """Return the latest calls judged by a catalog (a slug) that this person may try a text on."""
    held = held_by(user)
    found = _in_reach(user).filter(catalog_version__catalog__slug=catalog)
    found = found.order_by("-received_at", "pk")[:most]
    return _shown(user, found, sites_in(held, Act.READ_CALLS))


def get_past_calls(user: User | AnonymousUser, call_ids: list[UUID]) -> list[PastCall]:
    """Return those of these calls that this person may try a text on, in the order given."""
    reads = sites_in(held_by(user), Act.READ_CALLS)
    found = {one.id: one for one in _shown(user, _in_reach(user).filter(pk__in=call_ids), reads)}
    return [found[one] for one in call_ids if one in found]


def rows_of_past_call(user: User | AnonymousUser, call_id: UUID) -> PastRows | None:
    """Return the rows of a past call; None for one that is not there or not theirs to try."""
    state = _in_reach(user).filter(pk=call_id).values_list("state", flat=True).first()
    if state is None:
        return None
    owed = PhaseRow.objects.filter(call=call_id).values_list("phase", "required")
    return PastRows(
        standing_rows([call_id])[call_id],
        {phase: _OWED[RequiredCode(code)] for phase, code in owed},
        state == State.SIGNED,
    )


def is_at_hand(call_id: UUID) -> bool:
    """Say whether a past call is here and judged, for a worker that rehearses a text on it."""
    return _judged().filter(pk=call_id).exists()


def _judged() -> QuerySet[Call]:
    return Call.objects.filter(state__in=JUDGED_STATES, erased_at=None)


def _in_reach(user: User | AnonymousUser) -> QuerySet[Call]:
    """Return the calls at sites where this person asks what-ifs, without those that somebody is to
    read or rate blind: a draft is read by many, and must not say what was found.
    """
    sites = sites_reached(Act.ASK_WHAT_IFS, held_by(user))
    live = (ReadingState.WAITING, ReadingState.OPEN)
    read = Reading.objects.filter(call=OuterRef("pk"), state__in=live)
    rated = CalibrationCall.objects.filter(call=OuterRef("pk"), round__state=RoundStateCode.RATING)
    awaited = Q(queue_class__in=BLIND_CLASSES, state__in=[one.value for one in OPEN_STATES])
    found = _judged().filter(~awaited, ~Exists(read), ~Exists(rated))
    return found if sites is None else found.filter(site__in=sites)


def _shown(
    user: User | AnonymousUser, calls: QuerySet[Call], reads: frozenset[UUID]
) -> list[PastCall]:
    found = list(calls.values_list("pk", "site", "site__name", "call_date", "state"))
    theirs: set[UUID] = set()
    if reads:
        open_to = Call.objects.filter(
            ~hidden_from(user), pk__in=[one[0] for one in found], site__in=reads
        )
        theirs = set(open_to.values_list("pk", flat=True))
    return [
        PastCall(call_id, name, day, state == State.SIGNED, call_id in theirs)
        for call_id, _, name, day, state in found
    ]
