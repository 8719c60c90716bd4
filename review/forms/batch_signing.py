"""The form that signs several calls in one act: which, in which meaning, by what proof."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms

from review.core.signoff.record import Meaning
from review.forms.signing import MEANINGS, password_field

_OFFER = re.compile(r"([0-9a-f-]{36})\.([0-9a-f]{64})\.([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class Chosen:
    """A call that was ticked, as the page showed it."""

    call_id: UUID
    screen: str
    decisions: int


def offer(call_id: UUID, screen: str, decisions: int) -> str:
    """Return what the box of a call says of it."""
    return f"{call_id}.{screen}.{decisions}"


@dataclass(frozen=True, slots=True)
class Ways:
    """How a person can prove who they are: their passkeys, an app, whether a password is due."""

    keys: Sequence[tuple[int, str]]
    has_app: bool
    first: bool


class BatchForm(forms.Form):
    """Asks which calls are signed and how; `by_code` says which of its two buttons was pressed."""

    use_required_attribute = False

    form_key = forms.UUIDField(widget=forms.HiddenInput())
    shown = forms.CharField(max_length=400, widget=forms.HiddenInput())
    meaning = forms.ChoiceField(
        label="Meaning of your signatures",
        choices=MEANINGS,
        error_messages={"required": "Choose what your signatures say of these records."},
    )
    passkey = forms.TypedChoiceField(label="Passkey", coerce=int, required=False)
    code = forms.CharField(
        label="Six digits of your authenticator app",
        max_length=16,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "one-time-code"}),
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        ways: Ways,
        offers: Sequence[str] = (),
        by_code: bool = False,
        seal: str = "",
        form_key: UUID | None = None,
    ) -> None:
        """Make the form for a person with these ways, over the offers that were sent."""
        initial = {"form_key": form_key, "shown": seal}
        keys = ways.keys
        super().__init__(data, prefix="batch", initial=initial)
        self._offers, self._first, self._by_code = offers, ways.first, by_code
        self.fields["password"] = password_field(required=False)
        self.fields["passkey"].choices = keys  # type: ignore[attr-defined]
        if len(keys) < 2:
            self.fields["passkey"].widget = forms.HiddenInput()
            self.fields["passkey"].initial = keys[0][0] if keys else None
        if ways.has_app:
            self.fields["code"].help_text = "Only where you sign by password and code."
        else:
            del self.fields["code"]
        if not ways.first and not ways.has_app:
            del self.fields["password"]

    def clean(self) -> dict[str, Any]:
        """Ask for the proofs of the button that was pressed, and read which calls were ticked."""
        cleaned: dict[str, Any] = super().clean() or {}
        if (self._by_code or self._first) and not cleaned.get("password"):
            self._ask("password", "Type your password.")
        if self._by_code and not cleaned.get("code"):
            self._ask("code", "Type the six digits that your app shows now.")
        matches = [_OFFER.fullmatch(one) for one in self._offers]
        if not matches or None in matches:
            self.add_error(None, "Choose at least one call.")
            return cleaned
        found = [one.groups() for one in matches if one is not None]
        try:
            cleaned["calls"] = [Chosen(UUID(call), own, int(last)) for call, own, last in found]
        except ValueError:
            self.add_error(None, "Choose at least one call.")
        return cleaned

    def meant(self) -> Meaning:
        """Return the meaning of a valid form."""
        return Meaning(self.cleaned_data["meaning"])

    def refuse(self, field: str, sentence: str) -> None:
        """Show a refusal at its field, or above the form."""
        self._ask(field, sentence)

    def _ask(self, field: str, sentence: str) -> None:
        self.add_error(field if field in self.fields else None, sentence)
