"""The forms of the page of models: a check of them, and what is asked to be promoted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django import forms

from review.queries.promotions import Measurable

_DIGEST = r"^[0-9a-f]{64}$"


class ModelCheckForm(forms.Form):
    """Which calls the models are checked on."""

    use_required_attribute = False

    version = forms.TypedChoiceField(
        label="Signed by",
        coerce=UUID,
        error_messages={"required": "Choose a catalog version by which calls are signed."},
    )
    calls = forms.IntegerField(
        label="Latest signed calls",
        min_value=1,
        max_value=500,
        initial=100,
        help_text="1 to 500. Each open row is asked about four times; it costs as questions do.",
        error_messages={"required": "Write how many calls, 1 to 500."},
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, versions: Sequence[tuple[UUID, str]]
    ) -> None:
        """Offer these versions, as (id, name)."""
        super().__init__(data, auto_id="check_%s")
        self.fields["version"].choices = [(str(key), name) for key, name in versions]  # type: ignore[attr-defined]


class MeasurableForm(forms.Form):
    """What is to be promoted, as the page shows it."""

    phase = forms.CharField(max_length=200)
    language = forms.CharField(max_length=64, required=False, strip=False)
    digest = forms.RegexField(_DIGEST)
    answered = forms.CharField(max_length=401)

    def meant(self) -> Measurable:
        """Return what a valid form is about."""
        return Measurable(**self.cleaned_data)
