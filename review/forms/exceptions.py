"""The form that asks for an exception."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from oipsce_site.people.models import Site
from review.core.compliance.words import name_words
from review.forms.audits import DayInput
from review.models import ExceptionReason

_REASONS = [(one.value, one.label) for one in ExceptionReason]


def reason_of(code: str) -> ExceptionReason:
    """Return the reason that the form's word names."""
    return ExceptionReason(code)


class ExceptionForm(forms.Form):
    """What is excepted, where, on calls of which days, and why."""

    reason = forms.ChoiceField(choices=_REASONS, label="Reason")
    words = forms.CharField(
        max_length=1000,
        label="In words",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Stands beside every count. No words of a call, no name of a patient.",
        error_messages={"required": "Say why; it stands beside every count."},
    )
    first = forms.DateField(widget=DayInput, label="Calls from")
    last = forms.DateField(
        widget=DayInput, label="Calls to", help_text="At most a year; then it is over by itself."
    )

    def __init__(self, *data: Any, sites: Sequence[Site], names: Sequence[tuple[str, str]]) -> None:
        super().__init__(*data)
        self.has_names = bool(names)
        self._sites = {str(site.pk): site for site in sites}
        self.fields["site"] = forms.ChoiceField(
            choices=[(key, site.name) for key, site in self._sites.items()],
            error_messages={"invalid_choice": "You do not oversee this site. Choose another one."},
        )
        self.fields["what"] = forms.ChoiceField(
            choices=_choices(names),
            label="What is excepted",
            help_text="What was judged in signed calls of your sites.",
            error_messages={"invalid_choice": "This was judged nowhere. Choose one of the list."},
        )
        self.order_fields(["site", "what", "reason", "words", "first", "last"])

    def clean_site(self) -> Site:
        """Return the site that was chosen."""
        return self._sites[self.cleaned_data["site"]]

    def clean_what(self) -> tuple[str, str]:
        """Return the catalog's slug, and the edge, item or phase."""
        catalog, _, name = self.cleaned_data["what"].partition(" ")
        return catalog, name


def _choices(names: Sequence[tuple[str, str]]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the choices by catalog: edges, items, and phases as a whole."""
    groups: dict[str, set[str]] = {}
    for catalog, name in names:
        phase = {name.partition("/")[0]} if "/" in name else set()
        groups.setdefault(catalog, set()).update({name}, phase)
    return [
        (catalog, [(f"{catalog} {name}", name_words(name)) for name in sorted(found, key=_order)])
        for catalog, found in sorted(groups.items())
    ]


def _order(name: str) -> tuple[bool, str]:
    return ">" not in name, name
