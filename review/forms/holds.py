"""What people type about who reads a call: why they pass it over or take it, and for whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django import forms

from review.queries.holds import Assignee


class WhyForm(forms.Form):
    """A reason. How long it may be is checked by the action that keeps it."""

    reason = forms.CharField(
        label="Why",
        # Blanks alone are refused by the action, with its own sentence.
        required=False,
        widget=forms.Textarea(attrs={"rows": 2, "maxlength": 2000, "autocomplete": "off"}),
        help_text="Kept sealed with the call.",
    )


class AssignForm(forms.Form):
    """For whom a call is put aside; empty for nobody."""

    to = forms.ChoiceField(label="Put aside for", required=False)

    def __init__(self, data: Any = None, *, people: Sequence[Assignee], chosen: str = "") -> None:
        super().__init__(data, prefix="assign", initial={"to": chosen})
        choices = [("", "nobody: anybody gets it"), *((str(one.id), one.name) for one in people)]
        self.fields["to"] = forms.ChoiceField(
            label="Put aside for",
            required=False,
            choices=choices,
            error_messages={"invalid_choice": "Choose somebody from the list."},
        )

    def person(self) -> UUID | None:
        """Return who was chosen; None for nobody."""
        return UUID(self.cleaned_data["to"]) if self.cleaned_data["to"] else None
