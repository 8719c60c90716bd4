"""Forms of calibration: a round is opened, a row is rated, a difference decided, a round waived."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

from django import forms

from oipsce_site.people.models import Site
from review.core.calibration import (
    FEWEST_CALLS,
    MOST_CALLS,
    ItemRating,
    Rating,
)
from review.core.rows import Verdict
from review.forms.row_from_nothing import (
    POINT,
    Item,
    RowFromNothingForm,
    initial_of,
    read_point,
    write_point,
)
from review.queries.calibration import CallOption, RaterLine, VersionOption
from review.queries.holds import Assignee

_MOST_WORDS = 2_000


class BeginRoundForm(forms.Form):
    """Where a round is held and of which version; asked first, because calls depend on both."""

    def __init__(
        self, *data: Any, sites: Sequence[Site], versions: Sequence[VersionOption], **given: Any
    ) -> None:
        super().__init__(*data, **given)
        self._sites = {str(site.pk): site for site in sites}
        self._versions = {str(one.id): one for one in versions}
        self.fields["version"] = forms.ChoiceField(
            choices=[(key, one.name) for key, one in self._versions.items()],
            label="Catalog version",
            help_text="Its text as it is now is what is rated.",
            error_messages={"invalid_choice": "There is no such version. Choose one of the list."},
        )
        self.fields["site"] = forms.ChoiceField(
            choices=[(key, site.name) for key, site in self._sites.items()],
            label="Site",
            help_text="Whose calls are rated, by whose people.",
            error_messages={"invalid_choice": "You hold no rounds there. Choose one of the list."},
        )

    def clean_site(self) -> Site:
        """Return the site that was chosen."""
        return self._sites[self.cleaned_data["site"]]

    def clean_version(self) -> VersionOption:
        """Return the version that was chosen."""
        return self._versions[self.cleaned_data["version"]]

    @property
    def is_possible(self) -> bool:
        """Say whether there is a site and a version to choose."""
        return bool(self._sites and self._versions)


class OpenRoundForm(forms.Form):
    """Which calls are rated, by whom. Who reads no call of the site has them drawn."""

    draw = forms.IntegerField(
        required=False,
        min_value=FEWEST_CALLS,
        max_value=MOST_CALLS,
        initial=3,
        label="How many calls to draw",
        help_text="Counts only where none is chosen below.",
    )
    previous = forms.UUIDField(required=False, widget=forms.HiddenInput(attrs={"id": False}))

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        calls: Sequence[CallOption],
        raters: Sequence[Assignee],
        previous: UUID | None = None,
    ) -> None:
        super().__init__(data, initial={"previous": previous})
        if calls:
            self.fields["calls"] = forms.MultipleChoiceField(
                required=False,
                choices=[(str(one.id), _call_words(one)) for one in calls],
                widget=forms.CheckboxSelectMultiple,
                label="Calls",
                help_text=f"{FEWEST_CALLS} to {MOST_CALLS}; none: they are drawn.",
            )
        else:
            self.fields["draw"].help_text = "They are drawn at random."
        self.fields["raters"] = forms.MultipleChoiceField(
            choices=[(str(one.id), one.name) for one in raters],
            widget=forms.CheckboxSelectMultiple,
            label="Raters",
            help_text="At least two reviewers who have decided nothing on these calls.",
            error_messages={"required": "Choose at least two raters."},
        )

    @property
    def chosen_calls(self) -> list[UUID]:
        """Return the calls that were chosen; none where they are to be drawn."""
        return [UUID(one) for one in self.cleaned_data.get("calls", ())]

    @property
    def drawn(self) -> int:
        """Return how many are to be drawn."""
        return self.cleaned_data["draw"] or 0

    def refuse(self, field: str, sentence: str) -> None:
        """Show a refusal at its field, or above the form."""
        self.add_error(field if field in self.fields else None, sentence)


def _call_words(one: CallOption) -> str:
    day = "" if one.call_date is None else f"{one.call_date:%-d %b %Y} · "
    return f"{day}{one.external_id}"


class RateForm(RowFromNothingForm):
    """One row from nothing: required, start, finish, verdict, and the turn that shows each item."""

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        items: Sequence[Item],
        said: Rating | None = None,
    ) -> None:
        """Ask for a row; `said` is the rater's own earlier rating."""
        self._items = items
        given = {"form_key": uuid4(), **({} if said is None else _written(said))}
        super().__init__(data, initial=given, auto_id="rate-%s")
        self.fields["required"].label = "Is it required in this call?"
        self.fields["start"].help_text = "A turn number, never, or ?."
        self.fields["finish"].help_text = "On which it was complete."
        for item, text in items:
            self.fields[f"item_{item}"] = forms.CharField(
                label=text, max_length=12, error_messages={"required": POINT}
            )

    @property
    def items(self) -> tuple[forms.BoundField, ...]:
        """The fields of the acceptance items."""
        return tuple(self[f"item_{item}"] for item, _ in self._items)

    def clean(self) -> dict[str, Any]:
        """Read the turn of each item."""
        given = super().clean() or self.cleaned_data
        for name in (f"item_{item}" for item, _ in self._items):
            if name in given:
                try:
                    given[name] = read_point(given[name])
                except forms.ValidationError as refusal:
                    self.add_error(name, refusal)
        return given

    def rating(self) -> Rating:
        """Return what a valid form says."""
        given = self.cleaned_data
        return Rating(
            self.owed,
            given["start"],
            given["finish"],
            Verdict(given["verdict"]),
            tuple(ItemRating(item, given[f"item_{item}"]) for item, _ in self._items),
        )


def _written(said: Rating) -> dict[str, Any]:
    return {
        **initial_of(said.required, said.start, said.finish, said.verdict.value),
        **{f"item_{one.item}": write_point(one.shown) for one in said.items},
    }


class DecideDifferenceForm(forms.Form):
    """Who was right on a difference, why, and what to change in the rubric."""

    use_required_attribute = False

    form_key = forms.UUIDField(widget=forms.HiddenInput(attrs={"id": False}))
    why = forms.CharField(
        label="Why",
        required=False,
        max_length=_MOST_WORDS,
        widget=forms.Textarea(attrs={"rows": 2, "autocomplete": "off"}),
        help_text="Without words of the call: authors who read no calls read this.",
    )
    change = forms.CharField(
        label="What to change in the rubric",
        required=False,
        max_length=_MOST_WORDS,
        widget=forms.Textarea(attrs={"rows": 2, "autocomplete": "off"}),
        help_text="Empty: nothing.",
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        raters: Sequence[RaterLine],
        place: str,
    ) -> None:
        super().__init__(data, initial={"form_key": uuid4()}, auto_id=f"decide-{place}-%s")
        self.fields["right"] = forms.ChoiceField(
            label="Who was right",
            choices=[
                ("", "choose"),
                *((str(one.position), one.name) for one in raters),
                ("none", "none of them"),
            ],
            error_messages={"required": "Say who was right, or none of them."},
        )
        self.order_fields(["right", "why", "change"])

    @property
    def right(self) -> int | None:
        """Return the rater's position; None for none of them."""
        said = self.cleaned_data["right"]
        return None if said == "none" else int(said)

    def refuse(self, field: str, sentence: str) -> None:
        """Show a refusal at its field, or above the form."""
        self.add_error(field if field in self.fields else None, sentence)


class WaiveForm(forms.Form):
    """Why a version may be published without a round."""

    use_required_attribute = False

    reason = forms.CharField(
        label="Why no round is needed yet",
        required=False,
        max_length=_MOST_WORDS,
        widget=forms.Textarea(attrs={"rows": 3, "autocomplete": "off"}),
        help_text="It stands beside the version for ever, with your name.",
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, versions: Sequence[VersionOption]
    ) -> None:
        super().__init__(data, auto_id="waive-%s")
        self._versions = {str(one.id): one for one in versions}
        self.fields["version"] = forms.ChoiceField(
            choices=[(key, one.name) for key, one in self._versions.items()],
            label="Version",
            error_messages={"invalid_choice": "There is no such version. Choose one of the list."},
        )
        self.order_fields(["version", "reason"])

    def clean_version(self) -> VersionOption:
        """Return the version that was chosen."""
        return self._versions[self.cleaned_data["version"]]
