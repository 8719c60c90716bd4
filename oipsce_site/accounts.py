"""What allauth may do here: sign people in. Accounts and lost passwords are not its business."""

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from oipsce_site.administration.actions.sign_in import choose_password
from oipsce_site.people.models import User


class ClosedAccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """Closes the public sign-up, and records who chose a new password."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Answer no to every visitor."""
        return False

    def set_password(self, user: User, password: str) -> None:
        """Store the password that a person chose for themselves."""
        choose_password(password=password, by=user, at=timezone.now())
        # allauth goes on with this object: the session's hash is made from it.
        user.refresh_from_db()


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
