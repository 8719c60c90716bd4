"""How a version begins, is tried, and is let to decide."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms

from catalogs.core.document.trials import LEAST_SHARE, MOST_SHARE, Trial, TrialMode

_DAY_WRONG = {"invalid": "Write a day like 2026-11-30."}
_SHARE_WRONG = f"Give a share from {LEAST_SHARE} to {MOST_SHARE}."
_TRIED = (
    (TrialMode.SHADOW.value, "In shadow: beside the version before, which goes on deciding"),
    (TrialMode.CANARY.value, "For a share of calls: those that a draw takes"),
)


def _day(label: str, more: str, *, required: bool) -> forms.DateField:
    return forms.DateField(
        required=required,
        label=label,
        help_text=more,
        widget=forms.DateInput(attrs={"type": "date"}),
        error_messages=_DAY_WRONG,
    )


class TrialForm(forms.Form):
    """How a version is tried, and for which calls."""

    use_required_attribute = False

    mode = forms.ChoiceField(
        choices=_TRIED,
        initial=TrialMode.CANARY.value,
        widget=forms.RadioSelect,
        label="How it is tried",
        error_messages={"required": "Choose one of the two."},
    )
    share = forms.IntegerField(
        required=False,
        min_value=LEAST_SHARE,
        max_value=MOST_SHARE,
        label="Share of calls, in percent",
        help_text="Only where it is tried for a share.",
        error_messages={
            "invalid": _SHARE_WRONG,
            "min_value": _SHARE_WRONG,
            "max_value": _SHARE_WRONG,
        },
    )
    first_day = _day(
        "Tried from calls of", "Empty: from the version's first day on.", required=False
    )

    def clean(self) -> dict[str, Any]:
        """Ask for a share where one is drawn."""
        said: dict[str, Any] = super().clean() or {}
        wanted = said.get("mode") == TrialMode.CANARY.value
        if wanted and "share" in said and said["share"] is None:
            self.add_error("share", _SHARE_WRONG)
        return said

    def trial(self, version_from: date) -> Trial | None:
        """Return what was asked for; None for a version that decides at once."""
        said = self.cleaned_data
        if not said["mode"]:
            return None
        mode = TrialMode(said["mode"])
        share = said["share"] if mode is TrialMode.CANARY else 0
        return Trial(mode, share, said["first_day"] or version_from)


class PublishForm(TrialForm):
    """The text that somebody has read, by its digest, and how it begins."""

    digest = forms.CharField(max_length=64, widget=forms.HiddenInput)
    mode = forms.ChoiceField(
        required=False,
        choices=(("", "It decides at once, from its first day on"), *_TRIED),
        initial="",
        widget=forms.RadioSelect,
        label="How it begins",
    )


class FirstDayForm(forms.Form):
    """From which calls on a version on trial decides."""

    use_required_attribute = False

    first_day = _day("It decides calls from", "By the day of the call.", required=True)
