"""What waits to be asked about, and what was spent on it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import F, Q, QuerySet, Sum

from oipsce_site.people.models import Adjudicator
from review.core.cascade.adjudication import Attempted, Proposal, Reason, Spent
from review.models import AskingState, ModelRequest, PrefillRun, RunState, State, Suggestion
from review.models.adjudication import MOST_ATTEMPTS

_LATEST = 3


class SuggestionLine(NamedTuple):
    """What came of asking about one row: why, of which models, and places that have no words.

    `is_promoted`: it was made under a promotion that is still in force.
    """

    reason: Reason
    asked: str
    places: tuple[Proposal, ...]
    is_promoted: bool = False


def suggestion_from(stored: Mapping[str, Any]) -> SuggestionLine:
    """Return a suggestion as a query of JSON has it."""
    places = places_from(stored["places"])
    return SuggestionLine(Reason(stored["reason"]), stored["asked"], places, stored["promoted"])


def places_from(stored: Iterable[Sequence[Any]]) -> tuple[Proposal, ...]:
    """Return places as they are stored."""
    return tuple(Proposal(*place) for place in stored)


def sites_asking() -> list[UUID]:
    """Return the sites that have a model asked. One query, of a table with a row for each site."""
    on = Adjudicator.objects.filter(on_at__isnull=False, site__retired_at__isnull=True)
    return list(on.values_list("site_id", flat=True))


def runs_to_ask_about(sites: Collection[UUID], now: datetime) -> QuerySet[PrefillRun]:
    """Return the pre-fills of open calls of these sites that nobody has asked about, the oldest
    first; only those that were filled after the site turned it on.
    """
    fresh = Q(asking__isnull=True)
    lost = Q(
        asking__state=AskingState.RUNNING,
        asking__lease_until__lt=now,
        asking__attempts__lt=MOST_ATTEMPTS,
    )
    return PrefillRun.objects.filter(
        fresh | lost,
        state=RunState.DONE,
        call__site__in=sites,
        call__state__in=(State.AWAITING_REVIEW, State.IN_REVIEW),
        call__erased_at__isnull=True,
        transcript_digest=F("call__transcript_digest"),
        finished_at__gte=F("call__site__adjudicator__on_at"),
    ).order_by("finished_at", "id")


def count_to_ask_about(now: datetime) -> int:
    """Return how many pre-fills wait to be asked about; no second query where no site asks."""
    sites = sites_asking()
    return runs_to_ask_about(sites, now).count() if sites else 0


def spent_on(site_id: UUID, call_id: UUID, catalog: str, now: datetime) -> Spent:
    """Return the tokens that a site has spent or reserved: on a call, in a day, on a catalog."""
    today = ModelRequest.objects.filter(site_id=site_id, sent_at__gt=now - timedelta(days=1))
    paid = today.filter(may_be_paid=True)
    day = paid.aggregate(
        day=Sum("tokens", default=0),
        catalog=Sum("tokens", filter=Q(catalog_digest=catalog), default=0),
    )
    on_call = ModelRequest.objects.filter(call_id=call_id, may_be_paid=True)
    return Spent(on_call.aggregate(all=Sum("tokens", default=0))["all"], day["day"], day["catalog"])


def latest_requests(site_id: UUID, host: str) -> list[Attempted]:
    """Return how the latest requests of a site to a host ended, the newest first."""
    ended = ModelRequest.objects.filter(site_id=site_id, host=host, ended_at__isnull=False)
    found = ended.order_by("-sent_at").values_list("reason", "ended_at")[:_LATEST]
    return [Attempted(Reason(reason), at) for reason, at in found if at is not None]


def suggested_phases(run_id: UUID) -> set[str]:
    """Return the phases of a pre-fill that have what came of asking."""
    return set(Suggestion.objects.filter(run_id=run_id).values_list("phase", flat=True))
