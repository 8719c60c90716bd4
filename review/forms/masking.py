"""The form that has masked identifiers shown: what for, and words where the list has no reason."""

from __future__ import annotations

from uuid import uuid4

from django import forms

from review.models import RevealWhy


class RevealForm(forms.Form):
    """A reason; `form_key` has a form that is sent twice reveal once."""

    use_required_attribute = False

    form_key = forms.UUIDField(widget=forms.HiddenInput())
    why = forms.ChoiceField(
        label="What you need them for",
        choices=[("", "Choose a reason"), *RevealWhy.choices],
        error_messages={"required": "Choose what you need the identifiers for."},
    )
    words = forms.CharField(
        label="In your words",
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Needed for another reason. Kept sealed with the call.",
    )

    @classmethod
    def fresh(cls) -> RevealForm:
        """Return the form as nobody has filled it in yet."""
        return cls(initial={"form_key": uuid4()}, auto_id="reveal-%s")
