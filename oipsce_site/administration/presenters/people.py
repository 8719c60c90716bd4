"""The list of people, and the requests for roles that wait."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from oipsce_site.administration.presenters.wording import (
    factor_words,
    place_words,
    role_words,
    show_time,
)
from oipsce_site.people.models import Membership, RoleRequest, User


@dataclass(frozen=True, slots=True)
class Place:
    """A site, or the organisation, and the roles held there."""

    name: str
    roles: str


@dataclass(frozen=True, slots=True)
class PersonLine:
    """One person of the list. `factor` is empty for who signs in by password alone."""

    id: UUID
    name: str
    username: str
    places: tuple[Place, ...]
    is_active: bool
    first_sign_in_due: bool
    last_sign_in: str
    factor: str


@dataclass(frozen=True, slots=True)
class Request:
    """A request for a role. `refusal` says why this reader cannot grant it; empty: they can."""

    id: UUID
    person_id: UUID
    person: str
    role: str
    place: str
    reason: str
    asked_by: str
    asked_at: str
    is_own: bool
    refusal: str


@dataclass(frozen=True, slots=True)
class PeoplePage:
    """The page; `may_change` is for administrators."""

    lines: tuple[PersonLine, ...]
    requests: tuple[Request, ...]
    may_change: bool
    shown: str


def show_people(
    people: Iterable[User],
    requests: Iterable[RoleRequest],
    factors: Mapping[UUID, frozenset[str]],
    *,
    reader: User,
    may_change: bool,
) -> PeoplePage:
    """Draw the list for a reader."""
    lines = tuple(_line(one, factors.get(one.pk, frozenset())) for one in people)
    active = sum(1 for one in lines if one.is_active)
    away = len(lines) - active
    return PeoplePage(
        lines=lines,
        requests=tuple(show_request(one, reader) for one in requests) if may_change else (),
        may_change=may_change,
        shown=f"{active} active" + (f", {away} deactivated" if away else ""),
    )


def show_request(asked: RoleRequest, reader: User) -> Request:
    """Draw one request."""
    refusal = ""
    if reader.pk == asked.asked_by_id:
        refusal = "You asked for it; a second administrator grants it."
    elif reader.pk == asked.user_id:
        refusal = "It is for you; another administrator grants it."
    return Request(
        id=asked.pk,
        person_id=asked.user_id,
        person=asked.user.printed_name,
        role=role_words(asked.role),
        place=place_words(asked.site),
        reason=asked.reason,
        asked_by=asked.asked_by.printed_name,
        asked_at=show_time(asked.asked_at),
        is_own=reader.pk == asked.asked_by_id,
        refusal=refusal,
    )


def _line(person: User, factors: frozenset[str]) -> PersonLine:
    return PersonLine(
        id=person.pk,
        name=person.printed_name,
        username=person.username,
        places=_places(person.memberships.all()),
        is_active=person.is_active,
        first_sign_in_due=person.must_change_password,
        last_sign_in=show_time(person.last_login),
        factor=factor_words(factors),
    )


def _places(held: Iterable[Membership]) -> tuple[Place, ...]:
    roles: dict[str, list[str]] = {}
    for one in held:
        roles.setdefault(place_words(one.site), []).append(role_words(one.role))
    return tuple(Place(place, ", ".join(found)) for place, found in roles.items())
