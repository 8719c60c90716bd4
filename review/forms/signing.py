"""The forms of the signing page: in which meaning, proofs of identity, reasons for reopening."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from django import forms

from review.core.signoff.record import Meaning

MEANINGS = [
    ("", "Choose what your signature says"),
    (Meaning.REVIEWED.value, "reviewed: I have checked the rows against the transcript"),
    (Meaning.APPROVED.value, "approved: I agree with the verdict"),
    (Meaning.RESPONSIBLE.value, "responsible: I answer for this record"),
    (Meaning.AUTHORED.value, "authored: I have made this record"),
]
_LARGEST = 2**31 - 1
_LONGEST_ANSWER = 20_000


class Over(NamedTuple):
    """What a form is shown over: the digest of the screen, how many decisions it counts, the seal
    of when it was shown; and whether the queue's next call is to follow.
    """

    screen: str
    decisions: int
    shown: str
    then_next: bool


class SigningForm(forms.Form):
    """What every way of signing asks for; `screen` and `decisions` are what the page showed."""

    use_required_attribute = False

    screen = forms.RegexField(r"^[0-9a-f]{64}$", widget=forms.HiddenInput())
    decisions = forms.IntegerField(min_value=0, max_value=_LARGEST, widget=forms.HiddenInput())
    form_key = forms.UUIDField(widget=forms.HiddenInput())
    shown = forms.CharField(max_length=400, widget=forms.HiddenInput())
    meaning = forms.ChoiceField(
        label="Meaning of your signature",
        choices=MEANINGS,
        error_messages={"required": "Choose what your signature says of this record."},
    )
    then_next = forms.BooleanField(
        label="Then take the next call of the queue",
        required=False,
    )

    def __init__(
        self, data: Mapping[str, Any] | None, *, prefix: str, over: Over | None = None
    ) -> None:
        """Make the form over a screen that is shown now, with what was typed."""
        initial = {} if over is None else over._asdict()
        super().__init__(data, prefix=prefix, initial={**initial, "form_key": uuid4()})

    def meant(self) -> Meaning:
        """Return the meaning of a valid form."""
        return Meaning(self.cleaned_data["meaning"])

    def refuse(self, field: str, sentence: str) -> None:
        """Show a refusal at its field, or above the form."""
        self.add_error(field if field in self.fields else None, sentence)


class PasskeyForm(SigningForm):
    """Asks for a passkey, and for the password at the first signature of a session."""

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        over: Over | None = None,
        keys: Sequence[tuple[int, str]] = (),
        first: bool = True,
    ) -> None:
        """Make the form for a person with these keys."""
        super().__init__(data, prefix="passkey", over=over)
        self.fields["passkey"] = forms.TypedChoiceField(
            label="Passkey",
            coerce=int,
            choices=keys,
            widget=forms.Select() if len(keys) > 1 else forms.HiddenInput(),
            initial=keys[0][0] if keys else None,
        )
        if first:
            self.fields["password"] = password_field()


class AttestedForm(SigningForm):
    """Asks for password and one-time code."""

    password = forms.CharField()
    code = forms.CharField(
        label="Six digits of your authenticator app",
        max_length=16,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "one-time-code"}),
        error_messages={"required": "Type the six digits that your app shows now."},
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, over: Over | None = None) -> None:
        """Make the form."""
        super().__init__(data, prefix="code", over=over)
        self.fields["password"] = password_field()


@dataclass(frozen=True, slots=True)
class PasskeyAnswer:
    """What a passkey answered."""

    credential_id: bytes
    authenticator_data: bytes
    client_data: bytes
    signature: bytes


class AnswerForm(forms.Form):
    """What the browser brings back from the passkey."""

    intent = forms.UUIDField(widget=forms.HiddenInput())
    credential = forms.CharField(max_length=_LONGEST_ANSWER, widget=forms.HiddenInput())
    then_next = forms.BooleanField(required=False, widget=forms.HiddenInput())

    def clean_credential(self) -> PasskeyAnswer:
        """Read the answer. Raises ValidationError for another form."""
        try:
            given = json.loads(self.cleaned_data["credential"])
            names = ("id", "authenticatorData", "clientDataJSON", "signature")
            return PasskeyAnswer(*(_from_base64(given[name]) for name in names))
        except (ValueError, TypeError, KeyError, binascii.Error, RecursionError):
            raise forms.ValidationError("The passkey's answer came incomplete.") from None

    def intent_id(self) -> UUID:
        """Return the intent of a valid form."""
        found: UUID = self.cleaned_data["intent"]
        return found


class ReopeningForm(forms.Form):
    """Asks why a signed call should be reopened, or why it is or is not."""

    use_required_attribute = False

    reason = forms.CharField(
        label="Why",
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="It stands beside the signature and is not part of the log.",
    )


def password_field(*, required: bool = True) -> forms.CharField:
    """Return the field for the signer's password."""
    return forms.CharField(
        label="Your password",
        required=required,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        error_messages={"required": "Type your password."},
    )


def _from_base64(text: str) -> bytes:
    if not isinstance(text, str):
        raise TypeError("no text")
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
