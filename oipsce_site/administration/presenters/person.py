"""One person: roles, requests, sign-in, sessions and what was done to the account."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from oipsce_site.administration.presenters.people import Request, show_request
from oipsce_site.administration.presenters.wording import (
    ACTS,
    factor_words,
    place_words,
    role_words,
    show_time,
)
from oipsce_site.administration.queries import OpenSession
from oipsce_site.people.models import Membership, PersonAct, RoleRequest, User


@dataclass(frozen=True, slots=True)
class Held:
    """A role that the person holds."""

    id: UUID
    role: str
    place: str
    since: str
    granted_by: str


@dataclass(frozen=True, slots=True)
class SessionLine:
    """A sign-in that holds; `id` is None where nothing but its end is known."""

    id: int | None
    started: str
    seen: str
    address: str
    browser: str


@dataclass(frozen=True, slots=True)
class ActLine:
    """One act on the account."""

    what: str
    at: str
    by: str
    words: str


@dataclass(frozen=True, slots=True)
class Stored:
    """Everything that is known of one person."""

    person: User
    held: list[Membership]
    requests: list[RoleRequest]
    factors: frozenset[str]
    sessions: list[OpenSession]
    acts: list[PersonAct]


@dataclass(frozen=True, slots=True)
class PersonPage:
    """The page. `may_change` is for administrators, `is_self` for their own account."""

    id: UUID
    name: str
    username: str
    email: str
    revision: int
    changed: str
    is_active: bool
    is_self: bool
    may_change: bool
    first_sign_in_due: bool
    made: str
    last_sign_in: str
    factor: str
    held: tuple[Held, ...]
    requests: tuple[Request, ...]
    sessions: tuple[SessionLine, ...]
    acts: tuple[ActLine, ...]


def show_person(stored: Stored, *, reader: User, may_change: bool) -> PersonPage:
    """Draw a person for a reader; sessions are for administrators."""
    person = stored.person
    return PersonPage(
        id=person.pk,
        name=person.printed_name,
        username=person.username,
        email=person.email,
        revision=person.revision,
        changed=changed_words(person),
        is_active=person.is_active,
        is_self=person.pk == reader.pk,
        may_change=may_change,
        first_sign_in_due=person.must_change_password,
        made=show_time(person.created_at),
        last_sign_in=show_time(person.last_login),
        factor=factor_words(stored.factors),
        held=tuple(_held(one) for one in stored.held),
        requests=tuple(show_request(one, reader) for one in stored.requests),
        sessions=tuple(_session(one) for one in stored.sessions) if may_change else (),
        acts=tuple(_acts(stored.acts)),
    )


def changed_words(changed: User) -> str:
    """Return who changed the account last and when; empty when nobody did."""
    if changed.changed_at is None:
        return ""
    by = changed.changed_by.printed_name if changed.changed_by else "a command"
    return f"{by} at {show_time(changed.changed_at)}"


def _held(one: Membership) -> Held:
    return Held(
        id=one.pk,
        role=role_words(one.role),
        place=place_words(one.site),
        since=show_time(one.granted_at),
        granted_by=one.granted_by.printed_name if one.granted_by else "a command",
    )


def _session(one: OpenSession) -> SessionLine:
    return SessionLine(
        id=one.id,
        started=show_time(one.started_at, never="not noted"),
        seen=show_time(one.seen_at),
        address=one.address,
        browser=one.browser,
    )


#: Without a person it was a command of this installation, or the person themselves.
_WITHOUT_BY = {"person.appoint": "a command"}


def _acts(acts: Iterable[PersonAct]) -> Iterable[ActLine]:
    for one in acts:
        by = one.by.printed_name if one.by else _WITHOUT_BY.get(one.kind, "the person")
        yield ActLine(ACTS.get(one.kind, one.kind), show_time(one.at), by, one.words)
