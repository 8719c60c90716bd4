"""What allauth may do here: sign people in. Accounts and lost passwords are not its business."""

from __future__ import annotations

import time
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone

from oipsce_site.administration.actions.attempts import (
    TryLater,
    begin_attempt,
    fail_attempt,
    pass_attempt,
)
from oipsce_site.administration.actions.sessions import MOST_SESSIONS, begin_session
from oipsce_site.administration.actions.sign_in import choose_password
from oipsce_site.administration.presenters.sessions import say_where
from oipsce_site.people.models import User

#: The code of the refusal that says until when the next attempt waits.
TRY_LATER = "try_later"
#: In a session: when it began (seconds since 1970), however often it was used since.
BEGAN = "began"
#: In a session: whether its person was found to have a second factor.
SECOND_FACTOR = "second_factor"


class ClosedAccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """Closes the public sign-up, counts attempts, records sign-ins and own passwords."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Answer no to every visitor."""
        return False

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Leave counting to `authenticate`: allauth's limits would lock an account everywhere."""

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Return whose name and password these are, or None. Raises ValidationError while the next
        attempt has to wait.
        """
        name = str(credentials.get("username") or credentials.get("email") or "")
        address = self.get_client_ip(request)
        try:
            attempt = begin_attempt(name=name, address=address, step="password", at=timezone.now())
        except TryLater as refusal:
            raise ValidationError(str(refusal), code=TRY_LATER) from refusal
        user: User | None = super().authenticate(request, **credentials)
        if user is None:
            fail_attempt(attempt=attempt, at=timezone.now())
        else:
            pass_attempt(attempt=attempt)
        return user

    def login(self, request: HttpRequest, user: User) -> None:
        """Begin a session, and say which one had to end for it."""
        super().login(request, user)
        request.session[BEGAN] = int(time.time())
        ended = begin_session(
            by=user,
            session_key=request.session.session_key or "",
            address=self.get_client_ip(request),
            at=timezone.now(),
        )
        for one in ended:
            messages.warning(
                request,
                f"You are signed in at {MOST_SESSIONS} places at most: the session "
                f"{say_where(one)} has ended.",
            )

    def set_password(self, user: User, password: str) -> None:
        """Store the password that a person chose for themselves."""
        choose_password(password=password, by=user, at=timezone.now())
        # allauth goes on with this object: the session's hash is made from it.
        user.refresh_from_db()
