"""A past call by its id, as an author chooses it for a draft."""

from __future__ import annotations

from django import forms


class PastCallForm(forms.Form):
    """One past call."""

    call = forms.UUIDField()
