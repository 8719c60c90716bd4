"""The forms that attest a period: the counts that were shown, and proofs of who attests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.core import signing

from review.forms.signing import AnswerForm

_SALT = "review.attesting.fixed"
_LONGEST = 100_000


class CountsForm(forms.Form):
    """What both ways ask for over the counts of the page."""

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

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, prefix: str, seen: str = ""
    ) -> None:
        """Make the form over counts of this digest."""
        super().__init__(data, prefix=prefix, initial={"seen": seen, "form_key": uuid4()})

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


class AttestingForm(CountsForm):
    """Asks for password and one-time code."""

    code = forms.CharField(
        label="Six digits of your authenticator app",
        max_length=16,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "one-time-code"}),
        error_messages={"required": "Type the six digits that your app shows now."},
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, seen: str = "") -> None:
        """Make the form over counts of this digest."""
        super().__init__(data, prefix="code", seen=seen)


class PasskeyAttestingForm(CountsForm):
    """Asks for the password and which passkey."""

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        keys: Sequence[tuple[int, str]],
        seen: str = "",
    ) -> None:
        """Make the form for a person with these keys."""
        super().__init__(data, prefix="passkey", seen=seen)
        self.fields["passkey"] = forms.TypedChoiceField(
            label="Passkey",
            coerce=int,
            choices=keys,
            widget=forms.Select() if len(keys) > 1 else forms.HiddenInput(),
            initial=keys[0][0] if keys else None,
        )


class NotFixed(Exception):
    """What the form brought back was not fixed by this server for this person."""


def seal_fixed(data: bytes, person_id: UUID) -> str:
    """Return a record as the form of the passkey carries it."""
    return signing.dumps([data.decode(), str(person_id)], salt=_SALT)


def read_fixed(token: str, person_id: UUID) -> bytes:
    """Return the record that was fixed for the person. Raises NotFixed."""
    try:
        text, person = signing.loads(token, salt=_SALT)
    except (signing.BadSignature, ValueError, TypeError):
        raise NotFixed("the record is not one that this server fixed") from None
    if person != str(person_id):
        raise NotFixed("the record is another person's")
    return str(text).encode()


class AttestingAnswerForm(AnswerForm):
    """What the browser brings back from the passkey, and the record that it was asked for."""

    fixed = forms.CharField(max_length=_LONGEST, widget=forms.HiddenInput())
