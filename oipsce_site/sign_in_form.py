"""The forms of signing in: name and password, then the code of the second step."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import LoginForm
from allauth.core import context
from allauth.mfa.base.forms import AuthenticateForm
from django.core.exceptions import ValidationError
from django.utils import timezone

from oipsce_site.accounts import TRY_LATER
from oipsce_site.administration.actions.attempts import (
    TryLater,
    begin_attempt,
    fail_attempt,
    pass_attempt,
)


class SignInForm(LoginForm):  # type: ignore[misc]  # allauth ships no types
    """Asks for a user name or an address; allauth would announce an address only."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        login = self.fields["login"].widget.attrs
        login |= {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
        # The page says itself who replaces a forgotten password; a help text that is not shown
        # must not be named as the description of the field.
        self.fields["password"].help_text = ""


class SecondStepForm(AuthenticateForm):  # type: ignore[misc]  # allauth ships no types
    """Asks for the code of an app or a recovery code; wrong ones count as wrong passwords do."""

    def clean_code(self) -> str:
        """Return the code if it is right. Raises ValidationError."""
        address = get_adapter().get_client_ip(context.request)
        try:
            attempt = begin_attempt(
                name=self.user.username, address=address, step="code", at=timezone.now()
            )
        except TryLater as refusal:
            raise ValidationError(str(refusal), code=TRY_LATER) from refusal
        try:
            code: str = super().clean_code()
        except ValidationError:
            fail_attempt(attempt=attempt, at=timezone.now())
            raise
        pass_attempt(attempt=attempt)
        return code
