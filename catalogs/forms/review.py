"""What people say and do on the review page of a version."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

_LONGEST = 4000
WHOLE = "The whole version"


class RemarkForm(forms.Form):
    """A remark in words, on the whole or on one phase."""

    phase = forms.ChoiceField(required=False, label="On")
    words = forms.CharField(max_length=_LONGEST, widget=forms.Textarea(attrs={"rows": 3}))

    def __init__(self, *args: Any, phases: Sequence[str], **more: Any) -> None:
        super().__init__(*args, **more)
        field = self.fields["phase"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - says the type, checks nothing
        field.choices = [("", WHOLE), *((phase, phase) for phase in phases)]


class WaiverForm(forms.Form):
    """Why a version may be published without calibration."""

    reason = forms.CharField(
        max_length=_LONGEST,
        widget=forms.Textarea(attrs={"rows": 2}),
        label="Why it goes without calibration for now",
    )


class LastDayForm(forms.Form):
    """The last day on which a version judges calls."""

    last_day = forms.DateField(
        label="Last day in force", widget=forms.DateInput(attrs={"type": "date"})
    )


class DigestForm(forms.Form):
    """The text that somebody has read, by its digest."""

    digest = forms.CharField(max_length=64, widget=forms.HiddenInput)
