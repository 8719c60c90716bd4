"""What administrators type. Forms read and check; nothing here stores."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django import forms
from django.core.validators import RegexValidator

from oipsce_site.people.models import USERNAME_PATTERN, Scope, Site
from oipsce_site.people.roles import ORGANISATION_ROLES, Role

_LONGEST_NAME = 200
_LONGEST_REASON = 1000


class Expecting(forms.Form):
    """A form about something that others may change meanwhile."""

    expected_revision = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **more: Any) -> None:
        # Several of these forms stand on one page, and an id is given once on it.
        more.setdefault("auto_id", f"{type(self).__name__.lower()}_%s")
        super().__init__(*args, **more)


class ReasonForm(Expecting):
    """An act that needs its reason in words."""

    reason = forms.CharField(
        max_length=_LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Kept with the account; the decision log holds a commitment to it.",
    )


class PersonForm(Expecting):
    """What is said about a person; the name is printed beside their signatures."""

    printed_name = forms.CharField(max_length=_LONGEST_NAME, label="Printed name")
    email = forms.EmailField(
        required=False,
        label="Email",
        help_text="May be left empty. It can be used to sign in; no mail is sent.",
    )


class NewPersonForm(forms.Form):
    """A new account, without any role."""

    username = forms.CharField(
        label="Sign-in name",
        max_length=64,
        help_text="Lower-case letters, digits and . _ @ + - ; it stays as it is.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
        validators=[
            RegexValidator(
                USERNAME_PATTERN,
                "Start with a letter or digit and use lower-case letters, digits and . _ @ + - "
                "only.",
            )
        ],
    )
    printed_name = forms.CharField(
        max_length=_LONGEST_NAME,
        label="Printed name",
        help_text="As it is to stand beside signatures.",
    )
    email = forms.EmailField(required=False, label="Email", help_text="May be left empty.")


class AskRoleForm(Expecting):
    """A role asked for somebody. The place of an organisation-wide role is the organisation."""

    role = forms.ChoiceField(choices=[("", "Choose a role"), *Role.choices])
    site = forms.TypedChoiceField(
        required=False, coerce=UUID, empty_value=None, help_text="For roles held at a site."
    )
    reason = forms.CharField(
        max_length=_LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="The second administrator reads it.",
    )

    def __init__(self, *args: Any, sites: Iterable[Site], **more: Any) -> None:
        super().__init__(*args, **more)
        site = self.fields["site"]
        assert isinstance(site, forms.TypedChoiceField)  # noqa: S101 - says the type, checks nothing
        site.choices = [("", "The organisation"), *((str(one.pk), one.name) for one in sites)]

    def clean(self) -> dict[str, object]:
        """Ask for a site where the role has one, and for none where it has none."""
        found = super().clean() or {}
        role, site = found.get("role"), found.get("site")
        if not role or "site" not in found:
            return found
        if role in ORGANISATION_ROLES and site is not None:
            self.add_error(
                "site",
                f"The role {Role(str(role)).label} is held in the whole organisation: choose "
                "“The organisation”.",
            )
        if role not in ORGANISATION_ROLES and site is None:
            self.add_error("site", f"Choose the site where the {Role(str(role)).label} works.")
        return found


class AnswerForm(forms.Form):
    """The second administrator's answer to a request, or the first one's withdrawal."""

    answer = forms.ChoiceField(choices=[("grant", "Grant"), ("decline", "Decline")])


class StandingForm(ReasonForm):
    """Whether an account can be used."""

    active = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")], widget=forms.HiddenInput)


class SessionForm(forms.Form):
    """One session of a person, or all of them."""

    session = forms.IntegerField(required=False, min_value=0)


class NewSiteForm(forms.Form):
    """A new site."""

    slug = forms.SlugField(
        max_length=64,
        label="Short name",
        help_text="Letters, digits, - and _; commands and files name the site by it. It stays.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    name = forms.CharField(max_length=_LONGEST_NAME, label="Name")


class SiteForm(Expecting):
    """The name of a site."""

    name = forms.CharField(max_length=_LONGEST_NAME, label="Name")


class SiteStandingForm(Expecting):
    """Whether a site takes calls and roles."""

    retired = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")], widget=forms.HiddenInput)


class SiteMaskingForm(Expecting):
    """Whether transcripts of a site are shown with identifiers masked."""

    masks = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")], widget=forms.HiddenInput)


class _OfSite(forms.Form):
    """A form about one of the sites that are open."""

    site = forms.TypedChoiceField(coerce=UUID)

    def __init__(self, *args: Any, sites: Iterable[Site], **more: Any) -> None:
        super().__init__(*args, **more)
        site = self.fields["site"]
        assert isinstance(site, forms.TypedChoiceField)  # noqa: S101 - says the type, checks nothing
        site.choices = [("", "Choose a site"), *((str(one.pk), one.name) for one in sites)]


class NewClientForm(_OfSite):
    """A new program that hands calls in."""

    name = forms.CharField(
        max_length=100,
        label="Name",
        help_text="Which program it is, as people here know it.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        choices=Scope.choices,
        label="What the key opens",
        widget=forms.CheckboxSelectMultiple,
        initial=[Scope.WRITE_CALLS],
    )
    days = forms.IntegerField(
        min_value=1,
        max_value=365,
        initial=90,
        label="Days until it ends",
        help_text="Make another client in time, and revoke this one when the program has changed.",
    )
    per_minute = forms.IntegerField(
        min_value=1,
        max_value=6000,
        initial=600,
        label="Requests a minute",
        help_text="Who asks more often is told to wait.",
    )


class NewWebhookForm(_OfSite):
    """Another address that a site's alerts are sent to."""

    url = forms.CharField(
        max_length=500,
        label="Address",
        help_text="https only, at a host that the operator of this installation allows.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "url"}),
    )


_MOST_TOKENS = 1_000_000_000


def _cap(label: str, initial: int, help_text: str = "") -> forms.IntegerField:
    return forms.IntegerField(
        min_value=0, max_value=_MOST_TOKENS, label=label, initial=initial, help_text=help_text
    )


class AdjudicatorForm(Expecting):
    """Which models a site asks about open rows, for which phases, and under which caps."""

    url = forms.CharField(
        max_length=500,
        label="Address of the endpoint",
        help_text="Up to /v1, in the form of OpenAI; at a host that the operator of this "
        "installation allows.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "url"}),
    )
    model = forms.RegexField(r"\A[!-~]{1,200}\Z", label="Model")
    second_model = forms.RegexField(
        r"\A[!-~]{1,200}\Z",
        required=False,
        label="Second model",
        help_text="Another one, for rows at a critical edge: without it nothing is asked of them.",
    )
    phases = forms.CharField(
        max_length=4000,
        label="Phases",
        help_text="Ids with blanks between them. No other phase is asked about.",
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    agreement = forms.CharField(
        max_length=500,
        label="Written agreement",
        help_text="Which agreement with whoever runs the endpoint allows sending parts of calls. "
        "Masking alone is no permission: it misses names.",
    )
    tokens_per_call = _cap("Tokens a call", 20_000, "A cap of 0 is off: nothing is sent.")
    tokens_per_day = _cap("Tokens a day", 1_000_000)
    tokens_per_catalog = _cap("Tokens a day and catalog", 1_000_000)
    cents_per_million = _cap(
        "Price of a million tokens", 500, "In hundredths of your currency, at most."
    )
    cents_per_day = _cap("Money a day", 500, "In hundredths as well.")

    def clean_phases(self) -> list[str]:
        """Return the ids, each once."""
        return list(dict.fromkeys(str(self.cleaned_data["phases"]).split()))

    def clean(self) -> dict[str, object]:
        """Refuse one model under two names: it would agree with itself."""
        found = super().clean() or {}
        if found.get("second_model") and found.get("second_model") == found.get("model"):
            self.add_error("second_model", "Name another model than the first one.")
        return found


class AdjudicatorSwitchForm(Expecting):
    """Whether the models of a site are asked; `agreed` is asked of who turns it on."""

    on = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")], widget=forms.HiddenInput)
    agreed = forms.BooleanField(
        required=False,
        label="I have seen the agreement, and it allows sending parts of calls to this endpoint.",
    )

    def clean(self) -> dict[str, object]:
        """Ask for the tick where it is turned on."""
        found = super().clean() or {}
        if found.get("on") == "yes" and not found.get("agreed"):
            self.add_error("agreed", "Tick this when you have seen the agreement.")
        return found
