"""Candidates by wording: what waits to be searched, and what was found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import F, Q, QuerySet

from review.core.cascade.candidates import Candidates
from review.models import (
    AskingState,
    CandidateSearch,
    CandidateTurns,
    CatalogWording,
    PrefillRun,
    RunState,
    State,
)
from review.models.adjudication import MOST_ATTEMPTS


def candidates_from(stored: Iterable[Sequence[Any]]) -> tuple[Candidates, ...]:
    """Return candidates as they are stored."""
    return tuple(Candidates(phase, item, tuple(turns)) for phase, item, turns in stored)


def candidates_of(
    call_id: UUID, transcript: str, catalog: str
) -> tuple[CandidateTurns | None, Mapping[tuple[str, str], tuple[int, ...]]]:
    """Return what was found last for a call as it is now, and its turns by phase and item."""
    found = CandidateTurns.objects.filter(
        call=call_id, transcript_digest=transcript, catalog_digest=catalog
    )
    latest = found.order_by("-at").first()
    places = candidates_from(latest.places) if latest else ()
    return latest, {(one.phase, one.item): one.turns for one in places}


def runs_to_search(now: datetime) -> QuerySet[PrefillRun]:
    """Return the pre-fills of open calls that nobody has searched, the latest first: those are what
    people come to next.
    """
    fresh = Q(candidate_search__isnull=True)
    lost = Q(
        candidate_search__state=AskingState.RUNNING,
        candidate_search__lease_until__lt=now,
        candidate_search__attempts__lt=MOST_ATTEMPTS,
    )
    return PrefillRun.objects.filter(
        fresh | lost,
        state=RunState.DONE,
        call__state__in=(State.AWAITING_REVIEW, State.IN_REVIEW),
        call__erased_at__isnull=True,
        transcript_digest=F("call__transcript_digest"),
        catalog_digest=F("call__catalog_version__digest"),
    ).order_by("-finished_at", "id")


def is_any_to_search(now: datetime) -> bool:
    """Return whether a pre-fill waits to be searched."""
    return runs_to_search(now).exists()


def is_searching(now: datetime) -> bool:
    """Return whether a worker searches at this moment: one call at a time is enough."""
    running = CandidateSearch.objects.filter(state=AskingState.RUNNING, lease_until__gte=now)
    return running.exists()


def stored_wording(catalog: str, model: str, texts: str) -> bytes | None:
    """Return the vectors of a catalog's texts by these digests; None where nobody has made them."""
    found = CatalogWording.objects.filter(
        catalog_digest=catalog, model_digest=model, texts_digest=texts
    )
    packed = found.values_list("vectors", flat=True).first()
    return None if packed is None else bytes(packed)
