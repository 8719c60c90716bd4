"""The form that asks what a text would change: which kind, of which calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from django import forms

from oipsce_site.people.models import Site

#: "Last week's calls" are those of so many days, today's included.
WEEK_DAYS = 7
_KINDS = (
    ("READ", "Read again: words, anchors and items, by the rules of this text"),
    ("DECIDE", "Decide again: edges and requirements, over the rows as they stand"),
)


class WhatIfForm(forms.Form):
    """What to ask. The button of last week's calls fills in the days."""

    use_required_attribute = False

    kind = forms.ChoiceField(
        choices=_KINDS,
        initial="READ",
        widget=forms.RadioSelect,
        label="What to do",
        error_messages={"required": "Choose one of the two."},
    )
    first = forms.DateField(
        required=False,
        label="First day",
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text="Of the call. Empty: from the first call on.",
        error_messages={"invalid": "Write a day like 2026-11-01, or leave it empty."},
    )
    last = forms.DateField(
        required=False,
        label="Last day",
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text="Empty: up to the latest call.",
        error_messages={"invalid": "Write a day like 2026-11-30, or leave it empty."},
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        sites: Sequence[Site],
        catalogs: Sequence[str],
        own: str,
        today: date,
    ) -> None:
        """Offer these sites and the catalogs that judge their calls; `own` is the text's slug."""
        super().__init__(data, initial={"catalog": own}, auto_id="what_if_%s")
        self._today = today
        self._sites = {str(site.pk): site for site in sites}
        named = sorted({own, *catalogs})
        self.fields["site"] = forms.ChoiceField(
            choices=[(key, site.name) for key, site in self._sites.items()],
            label="Site",
            error_messages={"invalid_choice": "You ask nothing there. Choose one of the list."},
        )
        self.fields["catalog"] = forms.ChoiceField(
            choices=[(one, one) for one in named],
            label="Calls judged by",
            help_text="Any version of this catalog.",
            error_messages={"invalid_choice": "There is no such catalog. Choose one of the list."},
        )
        self.order_fields(["kind", "site", "catalog", "first", "last"])

    def clean_site(self) -> Site:
        """Return the site that was chosen."""
        return self._sites[self.cleaned_data["site"]]

    @property
    def days(self) -> tuple[date | None, date | None]:
        """Return the first and the last day that are asked for."""
        if self.data.get("when") == "week":
            return self._today - timedelta(days=WEEK_DAYS - 1), self._today
        return self.cleaned_data["first"], self.cleaned_data["last"]

    def refuse(self, field: str, sentence: str) -> None:
        """Show a refusal at its field, or above the form."""
        self.add_error(field if field in self.fields else None, sentence)
