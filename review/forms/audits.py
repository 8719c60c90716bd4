"""The form that asks for a signed audit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from oipsce_site.people.models import Site
from review.models import ProfileCode

_PROFILES = (
    (ProfileCode.MINIMUM.value, "minimum: verdicts with the quotes they rest on"),
    (
        ProfileCode.FULL.value,
        "full: with transcripts and all that people wrote (a second person approves)",
    ),
    (ProfileCode.DEIDENTIFIED.value, "de-identified: rows and verdicts alone"),
)
_VERDICTS = (
    ("", "any"),
    ("PASS", "call success: pass"),
    ("FAIL", "call success: fail"),
    ("UNDETERMINED", "undetermined"),
)


def profile_of(code: str) -> ProfileCode:
    """Return the profile that the form's word names."""
    return ProfileCode(code)


class DayInput(forms.DateInput):
    """A day, as browsers ask for it."""

    input_type = "date"


class AuditForm(forms.Form):
    """For whom and why an audit is made, how much it discloses, and of which signed calls."""

    recipient = forms.CharField(
        max_length=300,
        label="Recipient",
        help_text="Who receives it: kept for the accounting of disclosures.",
        error_messages={"required": "Say who receives the audit."},
    )
    purpose = forms.CharField(
        max_length=1000,
        label="Purpose",
        help_text="What they need it for.",
        error_messages={"required": "Say what the audit is for."},
    )
    profile = forms.ChoiceField(choices=_PROFILES, label="How much it discloses")
    first_date = forms.DateField(
        required=False, widget=DayInput, label="First day of calls", help_text="Empty: from ever."
    )
    last_date = forms.DateField(
        required=False, widget=DayInput, label="Last day of calls", help_text="Empty: up to now."
    )
    verdict = forms.ChoiceField(choices=_VERDICTS, required=False, label="Verdict")

    def __init__(self, *data: Any, sites: Sequence[Site], catalogs: Sequence[str]) -> None:
        super().__init__(*data)
        self._sites = {str(site.pk): site for site in sites}
        self.fields["site"] = forms.ChoiceField(
            choices=[(key, site.name) for key, site in self._sites.items()],
            error_messages={
                "required": "Choose a site.",
                "invalid_choice": "You do not export for this site. Choose one of the list.",
            },
        )
        self.fields["catalog"] = forms.ChoiceField(
            choices=[("", "any"), *((slug, slug) for slug in catalogs)],
            required=False,
            error_messages={"invalid_choice": "There is no such catalog. Choose one of the list."},
        )
        self.order_fields(
            [
                *("site", "recipient", "purpose", "profile"),
                *("first_date", "last_date", "catalog", "verdict"),
            ]
        )

    def clean_site(self) -> Site:
        """Return the site that was chosen."""
        return self._sites[self.cleaned_data["site"]]

    @property
    def has_sites(self) -> bool:
        """Say whether there is any site to export for."""
        return bool(self._sites)
