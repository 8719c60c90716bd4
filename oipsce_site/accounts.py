"""What allauth may do here: sign people in. Accounts and lost passwords are not its business."""

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe


class ClosedAccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """Closes the public sign-up."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Answer no to every visitor."""
        return False


@login_not_required
@require_safe
def password_reset(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Say who replaces a forgotten password; no mail is sent."""
    return render(request, "account/password_reset.html")


@require_safe
def email(request: HttpRequest) -> HttpResponse:
    """Lead to the person's own keys: no address is kept for signing in."""
    return redirect("mfa_index")
