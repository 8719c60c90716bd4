"""How a person signs in: a new one-time password, their own password, the second factor."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from allauth.mfa.models import Authenticator
from django.db import transaction

from oipsce_site.administration.actions.acting import Acting, UnableToAdminister
from oipsce_site.administration.actions.people import check_not_oneself
from oipsce_site.administration.actions.sessions import delete_sessions, end_own_sessions
from oipsce_site.administration.queries import has_second_factor
from oipsce_site.people.models import User

T = TypeVar("T")


def replace_password(
    *, person_id: UUID, expected_revision: int, password: str, by: User, at: datetime
) -> User:
    """Give a person a one-time password in place of a forgotten one; their sessions end.

    Raises NotAllowed, NotThere, ChangedMeanwhile, or UnableToAdminister for oneself and for a
    deactivated account.
    """
    with transaction.atomic():
        acting = Acting.administrator(by, at)
        user = acting.load_person(person_id, expected_revision)
        check_not_oneself(user, by, "You change your own password yourself.")
        if not user.is_active:
            raise UnableToAdminister("The account is deactivated; activate it first.")
        user.set_password(password)
        user.must_change_password = True
        acting.store(user, "password", "must_change_password")
        ended = delete_sessions(user, at=at)
        acting.note(user, "person.password", {"sessions": ended})
    return user


def choose_password(*, password: str, by: User, at: datetime) -> None:
    """Store the password that a person chose for themselves, and record that they did."""
    with transaction.atomic():
        acting = Acting.oneself(by, at)
        user = acting.load_person(by.pk)
        user.set_password(password)
        user.must_change_password = False
        user.save(update_fields=["password", "must_change_password"])
        acting.note(user, "person.own_password")


def record_factors(*, by: User, session_key: str, at: datetime, change: Callable[[], T]) -> T:
    """Let a person `change` their second factors, and record what was added and removed.

    Without a key or an app in the end, all sessions but the one of this key end as well. Returns
    what `change` returns, and raises what it raises; then nothing is changed.
    """
    with transaction.atomic():
        acting = Acting.oneself(by, at)
        user = acting.load_person(by.pk)
        before = _factors(user)
        done = change()
        after = _factors(user)
        for one in sorted(after - before):
            acting.note(user, "person.factor_add", {"factor": one[0]})
        for one in sorted(before - after):
            acting.note(user, "person.factor_remove", {"factor": one[0]})
        if before != after and not has_second_factor(user):
            end_own_sessions(session_id=None, session_key=session_key, by=by, at=at)
    return done


def _factors(user: User) -> set[tuple[str, int]]:
    return set(Authenticator.objects.filter(user=user).values_list("type", "pk"))


def reset_second_factor(
    *, person_id: UUID, expected_revision: int, reason: str, by: User, at: datetime
) -> None:
    """Remove a person's authenticator app, keys and codes; their sessions end.

    Raises NotAllowed, NotThere, ChangedMeanwhile, or UnableToAdminister for oneself and when there
    is nothing to remove.
    """
    with transaction.atomic():
        acting = Acting.administrator(by, at)
        user = acting.load_person(person_id, expected_revision)
        check_not_oneself(user, by, "Another administrator resets your second factor.")
        removed, _ = Authenticator.objects.filter(user=user).delete()
        if not removed:
            raise UnableToAdminister("The person has no second factor that could be removed.")
        acting.store(user)
        ended = delete_sessions(user, at=at)
        facts = {"authenticators": removed, "sessions": ended}
        acting.note(user, "person.second_factor_reset", facts, words=reason)
