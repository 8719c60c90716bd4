"""The pages of one's own account that allauth does not have, or has otherwise."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.views import LoginView
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import NON_FIELD_ERRORS
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from oipsce_site.accounts import SECOND_FACTOR, TRY_LATER
from oipsce_site.administration.actions.sessions import MOST_SESSIONS, end_own_sessions
from oipsce_site.administration.actions.sign_in import record_factors
from oipsce_site.administration.forms import SessionForm
from oipsce_site.administration.presenters.sessions import say_ended, show_own_sessions
from oipsce_site.administration.queries import has_second_factor, sessions_of
from oipsce_site.people.models import User


class SignIn(LoginView):  # type: ignore[misc]  # allauth ships no types
    """The door: name and password; says why one has to come through it again."""

    def form_invalid(self, form: Form) -> HttpResponse:
        """Answer 429 while the next attempt has to wait."""
        answer: HttpResponse = super().form_invalid(form)
        if form.has_error(NON_FIELD_ERRORS, TRY_LATER):
            answer.status_code = 429
        return answer

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Add what ended the session before."""
        ended = say_ended(self.request.GET.get("ended", ""))
        return {**super().get_context_data(**more), "ended": ended}


@require_http_methods(["GET", "HEAD", "POST"])
def sessions(request: HttpRequest) -> HttpResponse:
    """Show where one is signed in; a form ends one session, or all others."""
    person = _person(request)
    key = request.session.session_key or ""
    if request.method == "POST":
        form = SessionForm(request.POST)
        if not form.is_valid():
            return _sessions_page(request, person, 422)
        ended = end_own_sessions(
            session_id=form.cleaned_data["session"],
            session_key=key,
            by=person,
            at=timezone.now(),
        )
        messages.success(request, f"{ended} session{'' if ended == 1 else 's'} ended.")
        return redirect("own_sessions")
    return _sessions_page(request, person, 200)


def _sessions_page(request: HttpRequest, person: User, status: int) -> HttpResponse:
    found = sessions_of(person, at=timezone.now())
    shown = show_own_sessions(found, request.session.session_key or "")
    context = {"sessions": shown, "most": MOST_SESSIONS}
    return render(request, "account/sessions.html", context, status=status)


def recording(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Have what a page of allauth changes about one's second factors recorded with the change."""

    @wraps(view)
    def recorded(request: HttpRequest, **more: Any) -> HttpResponse:
        if request.method != "POST" or not isinstance(request.user, User):
            return view(request, **more)
        # Whether there is one is asked anew at the next page.
        request.session.pop(SECOND_FACTOR, None)
        return record_factors(
            by=request.user,
            session_key=request.session.session_key or "",
            at=timezone.now(),
            change=lambda: view(request, **more),
        )

    return recorded


@require_safe
def second_factor(request: HttpRequest) -> HttpResponse:
    """Lead to the ways of setting up a second factor, where signing in asks for one."""
    if has_second_factor(_person(request)):
        return redirect("mfa_index")
    return render(request, "account/second_factor.html")


@login_not_required
@require_safe
def password_reset(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Say who replaces a forgotten password; no mail is sent."""
    return render(request, "account/password_reset.html")


@require_safe
def email(request: HttpRequest) -> HttpResponse:
    """Lead to the person's own keys: no address is kept for signing in."""
    return redirect("mfa_index")


@require_safe
def token(request: HttpRequest) -> HttpResponse:
    """Answer a page whose person has signed in again with a token for what it still has to send."""
    return HttpResponse(get_token(request), content_type="text/plain")


def _person(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise Http404
    return request.user
