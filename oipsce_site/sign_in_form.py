"""The sign-in form, as password managers and screen readers are to understand it."""

from typing import Any

from allauth.account.forms import LoginForm


class SignInForm(LoginForm):  # type: ignore[misc]  # allauth ships no types
    """Asks for a user name or an address; allauth would announce an address only."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        login = self.fields["login"].widget.attrs
        login |= {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}
        # The page says itself who replaces a forgotten password; a help text that is not shown
        # must not be named as the description of the field.
        self.fields["password"].help_text = ""
