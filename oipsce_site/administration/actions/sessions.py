"""Sign-ins that hold: begun, at most three of a person at once, and ended before their time."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import UUID

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction

from oipsce_site.administration.actions.acting import Acting
from oipsce_site.administration.actions.attempts import forget_failures
from oipsce_site.administration.queries import OpenSession, digest_of, sessions_of
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.people.models import EndedSession, EndedWhy, User

MOST_SESSIONS = 3
_TOLD_FOR = timedelta(days=1)


def begin_session(
    *, by: User, session_key: str, address: str, at: datetime
) -> tuple[OpenSession, ...]:
    """Record that a person has signed in; of more than three sessions the oldest end.

    Returns those that were ended, so that the person can be told (audit_security 2h).
    """
    with transaction.atomic():
        acting = Acting.oneself(by, at)
        user = acting.load_person(by.pk)
        others = [one for one in sessions_of(user, at=at) if one.key != session_key]
        others.sort(key=lambda one: one.started_at or one.seen_at)
        surplus = others[: max(0, len(others) - (MOST_SESSIONS - 1))]
        _end(surplus, EndedWhy.SURPLUS, at)
        forget_failures(user=user, address=address)
        facts: dict[str, Value] = {
            "user_id": str(user.pk),
            "address": address,
            "ended": len(surplus),
        }
        acting.record("sign_in.done", facts)
    return tuple(surplus)


def end_sessions(*, person_id: UUID, session_id: int | None, by: User, at: datetime) -> int:
    """End one session of a person, or all for None; return how many were ended.

    A session that has ended meanwhile is no error: what was asked for holds. Raises NotAllowed,
    NotThere.
    """
    with transaction.atomic():
        acting = Acting.administrator(by, at)
        user = acting.load_person(person_id)
        ended = delete_sessions(user, at=at, session_id=session_id)
        acting.note(user, "person.sessions_end", {"sessions": ended})
    return ended


def end_own_sessions(*, session_id: int | None, session_key: str, by: User, at: datetime) -> int:
    """End one of one's own sessions, or for None all but the one of this key; return how many."""
    with transaction.atomic():
        acting = Acting.oneself(by, at)
        user = acting.load_person(by.pk)
        found = [
            one
            for one in sessions_of(user, at=at)
            if (one.key != session_key if session_id is None else one.id == session_id)
        ]
        _end(found, EndedWhy.OWNER, at)
        acting.note(user, "person.own_sessions_end", {"sessions": len(found)})
    return len(found)


def delete_sessions(user: User, *, at: datetime, session_id: int | None = None) -> int:
    """Delete the sessions of `user` that hold, or the one of this id; return how many."""
    found = [one for one in sessions_of(user, at=at) if session_id in (None, one.id)]
    _end(found, EndedWhy.ADMINISTRATOR, at)
    return len(found)


def _end(sessions: Collection[OpenSession], why: EndedWhy, at: datetime) -> None:
    keys = [one.key for one in sessions]
    Session.objects.filter(session_key__in=keys).delete()
    UserSession.objects.filter(session_key__in=keys).delete()
    EndedSession.objects.filter(at__lt=at - _TOLD_FOR).delete()
    EndedSession.objects.bulk_create(
        [EndedSession(key_digest=digest_of(key), why=why, at=at) for key in keys],
        ignore_conflicts=True,
    )
