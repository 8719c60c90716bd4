"""The forms of the page of retention: erasures, legal holds, rules, and answers to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

from django import forms

from oipsce_site.people.models import Site
from review.core.retention import LEAST_DAYS, USUAL_DAYS, USUAL_MOST
from review.models import Ground

_LARGEST = 36_500


class CallNamedForm(forms.Form):
    """Names a call by the id that its source gave it, or by ours."""

    use_required_attribute = False

    form_key = forms.UUIDField(widget=forms.HiddenInput())
    call = forms.CharField(
        label="Call",
        max_length=500,
        help_text="The id in its line of the list of calls.",
        error_messages={"required": "Say which call, by its id."},
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, prefix: str, call: str = ""
    ) -> None:
        """Make the form, with a call that is known already."""
        super().__init__(data, prefix=prefix, initial={"form_key": uuid4(), "call": call})


class ErasureForm(CallNamedForm):
    """Asks to have a call erased."""

    ground = forms.ChoiceField(
        label="Ground",
        choices=[("", "Choose the ground"), *Ground.choices],
        error_messages={"required": "Choose on what ground."},
    )

    def meant(self) -> Ground:
        """Return the ground of a valid form."""
        return Ground(self.cleaned_data["ground"])


class LegalHoldForm(CallNamedForm):
    """Puts a call under a legal hold."""

    reason = forms.CharField(
        label="Matter",
        max_length=500,
        help_text="Its number or name; no words of the call.",
        error_messages={"required": "Say which matter it is for."},
    )


class LiftForm(forms.Form):
    """Lifts a legal hold."""

    use_required_attribute = False

    reason = forms.CharField(
        label="Why it is lifted",
        max_length=500,
        error_messages={"required": "Say why the hold is lifted."},
    )


class RuleForm(forms.Form):
    """Proposes how long the words of a site's calls are kept."""

    use_required_attribute = False

    form_key = forms.UUIDField(widget=forms.HiddenInput())
    site = forms.ChoiceField(label="Site")
    days = forms.IntegerField(
        label="Days after the last change", min_value=LEAST_DAYS, max_value=_LARGEST
    )
    most = forms.IntegerField(
        label="Calls that one run erases at most", min_value=1, max_value=100_000
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, sites: Sequence[Site] = ()
    ) -> None:
        """Make the form for these sites."""
        initial = {"form_key": uuid4(), "days": USUAL_DAYS, "most": USUAL_MOST}
        super().__init__(data, prefix="rule", initial=initial)
        self._sites = {str(one.pk): one for one in sites}
        own = self.fields["site"]
        own.choices = [(key, one.name) for key, one in self._sites.items()]  # type: ignore[attr-defined]

    def chosen(self) -> Site:
        """Return the site of a valid form."""
        return self._sites[self.cleaned_data["site"]]


def key_of(form: forms.Form) -> UUID:
    """Return the key of a valid form."""
    found: UUID = form.cleaned_data["form_key"]
    return found
