"""The round that a request is about. What is not theirs is not there."""

from __future__ import annotations

from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest

from oipsce_site.people.matrix import Act, say_who
from oipsce_site.people.models import User
from review.permissions import calibrating_at
from review.queries.calibration import StoredRound, get_round_for


def signed_in(request: HttpRequest) -> User:
    """Return who is signed in. Raises Http404 for nobody."""
    if not isinstance(request.user, User):
        raise Http404
    return request.user


def calibrating(request: HttpRequest) -> User:
    """Return who reads calls, or holds, sees or waives rounds somewhere. Raises Http404."""
    person = signed_in(request)
    at = calibrating_at(person)
    if not (at.reads or at.holds is None or at.sees is None):
        raise Http404
    return person


def round_of(request: HttpRequest, round_id: UUID) -> tuple[User, StoredRound]:
    """Return the person and a round that they rate in or see. Raises Http404."""
    person = signed_in(request)
    stored = get_round_for(person, calibrating_at(person), round_id)
    if stored is None:
        raise Http404
    return person, stored


def held_round(request: HttpRequest, round_id: UUID) -> tuple[User, StoredRound]:
    """Return the same for who holds the round. Raises Http404, or PermissionDenied."""
    person, stored = round_of(request, round_id)
    if not stored.holds:
        raise PermissionDenied(say_who(Act.HOLD_ROUNDS))
    return person, stored


def rated_round(request: HttpRequest, round_id: UUID) -> tuple[User, StoredRound]:
    """Return the same for who rates in the round. Raises Http404."""
    person, stored = round_of(request, round_id)
    if not stored.is_rater:
        raise Http404
    return person, stored
