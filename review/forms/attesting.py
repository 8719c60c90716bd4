"""The form that attests a period: the counts that were shown, and proofs of who attests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4

from django import forms


class AttestingForm(forms.Form):
    """Asks for password and one-time code over the counts of the page."""

    use_required_attribute = False

    seen = forms.RegexField(r"^[0-9a-f]{64}$", widget=forms.HiddenInput())
    form_key = forms.UUIDField(widget=forms.HiddenInput())
    agreed = forms.BooleanField(
        label="I have looked at every count of this page.",
        error_messages={"required": "Say that you have looked at the counts."},
    )
    password = forms.CharField(
        label="Your password",
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        error_messages={"required": "Type your password."},
    )
    code = forms.CharField(
        label="Six digits of your authenticator app",
        max_length=16,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "one-time-code"}),
        error_messages={"required": "Type the six digits that your app shows now."},
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, seen: str = "") -> None:
        """Make the form over counts of this digest."""
        super().__init__(data, initial={"seen": seen, "form_key": uuid4()})

    def complain_of_hidden(self) -> None:
        """Say above the form what is wrong with what nobody can see."""
        if {"seen", "form_key"} & set(self.errors):
            self.add_error(
                None, "The form came incomplete, so nothing is attested. Load the page again."
            )

    def key(self) -> UUID:
        """Return the key of a valid form, which attests once."""
        found: UUID = self.cleaned_data["form_key"]
        return found

    def refuse(self, field: str, sentence: str) -> None:
        """Show a refusal at its field, or above the form."""
        self.add_error(field if field in self.fields else None, sentence)
