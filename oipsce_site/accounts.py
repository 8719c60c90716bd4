"""What allauth may do here: people sign in; accounts are made by administrators only."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class ClosedAccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """Closes the public sign-up."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Answer no to every visitor."""
        return False
