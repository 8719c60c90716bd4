"""Ending sign-ins that still hold."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction

from oipsce_site.administration.actions.acting import Acting
from oipsce_site.administration.queries import sessions_of
from oipsce_site.people.models import User


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


def delete_sessions(user: User, *, at: datetime, session_id: int | None = None) -> int:
    """Delete the sessions of `user` that hold, or the one of this id; return how many."""
    keys = [
        one.key for one in sessions_of(user, at=at) if session_id is None or one.id == session_id
    ]
    Session.objects.filter(session_key__in=keys).delete()
    UserSession.objects.filter(user=user, session_key__in=keys).delete()
    return len(keys)
