"""The form of what is known of a call itself. It checks shape; sense is the action's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any
from uuid import UUID

from django import forms
from django.core.validators import RegexValidator

from catalogs.queries import Choosing
from review.core.transcript import Attribute, Call, Settings

_LANGUAGE = RegexValidator(
    r"\A[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*\Z", "Write a language tag such as en-US."
)
LOST = "The page did not say which transcript it showed. Reload it and answer again."
_CODES = ("required", "invalid", "min_value")
_ENDED = [("yes", "yes"), ("no", "no, it is still running"), ("unknown", "nobody knows")]
_ENDED_VALUES = {"yes": True, "no": False, "unknown": None}


class SettingsForm(forms.Form):
    """What is known of the call itself: what chooses its catalog, date, end, language.

    `expected` is the transcript revision that the page showed.
    """

    use_required_attribute = False

    expected = forms.IntegerField(
        min_value=1, widget=forms.HiddenInput, error_messages=dict.fromkeys(_CODES, LOST)
    )
    date = forms.DateField(
        label="Date of the call",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text="Chooses the catalog version that was in force.",
        error_messages={"invalid": "Write the date as year-month-day, as in 2026-03-10."},
    )
    ended = forms.ChoiceField(label="Has the call ended?", choices=_ENDED)
    language = forms.CharField(
        label="Language",
        required=False,
        max_length=35,
        validators=[_LANGUAGE],
        help_text="A tag such as en-US; left empty, nobody has said.",
    )

    def __init__(
        self, data: Mapping[str, Any] | None, call: Call, revision: int, choosing: Choosing
    ) -> None:
        self._call = call
        self._kinds = {one.name: one.kind for one in choosing.attributes if one.name != "date"}
        self._kinds.setdefault("type", "string")
        super().__init__(data, initial=self._stored(revision))
        for one in choosing.attributes:
            if one.name != "date":
                self.fields[f"attr_{one.name}"] = self._attribute(one.name, one.values)
        if "attr_type" not in self.fields:
            self.fields["attr_type"] = self._attribute("type", ())
        if len(choosing.versions) > 1:
            self.fields["version"] = forms.ChoiceField(
                label="Catalog version",
                choices=[
                    ("", "Choose one"),
                    *((str(key), name) for key, name in choosing.versions),
                ],
                required=False,
                help_text="Several apply to this call.",
            )
        self.order_fields(["expected", "attr_type", *self._names(), "date", "version"])

    def settings(self) -> Settings:
        """Return the settings as typed; what was not readable counts as not said."""
        given = self.cleaned_data
        attributes: dict[str, Attribute] = {
            name: self._value(name, given.get(f"attr_{name}") or "") for name in self._kinds
        }
        attributes["date"] = given.get("date")
        return Settings(
            attributes, _ENDED_VALUES.get(given.get("ended", "")), given.get("language") or None
        )

    def version_id(self) -> UUID | None:
        """Return the version that was chosen of several."""
        chosen = self.cleaned_data.get("version")
        return UUID(chosen) if chosen else None

    def _names(self) -> list[str]:
        return [name for name in self.fields if name.startswith("attr_")]

    def _stored(self, revision: int) -> dict[str, Any]:
        call = self._call
        ended = next(word for word, value in _ENDED_VALUES.items() if value is call.ended)
        shown = {f"attr_{name}": _shown(call.attributes.get(name)) for name in self._kinds}
        return {
            "expected": revision,
            "date": call.date,
            "ended": ended,
            "language": call.language or "",
            **shown,
        }

    def _attribute(self, name: str, values: Sequence[object]) -> forms.Field:
        label = "Type of call" if name == "type" else name.replace("_", " ").capitalize()
        kind = self._kinds[name]
        if kind not in ("string", "boolean"):
            return forms.CharField(label=label, required=False, max_length=100)
        known = ["true", "false"] if kind == "boolean" else [_shown(value) for value in values]
        now = _shown(self._call.attributes.get(name))
        options = dict.fromkeys([*known, *([now] if now else [])])
        return forms.ChoiceField(
            label=label,
            required=False,
            choices=[("", "Not said"), *((one, one.replace("_", " ")) for one in options)],
            help_text="Chooses the catalog." if name == "type" else "",
        )

    def _value(self, name: str, typed: str) -> Attribute:
        """Return an attribute as typed; one that was not touched keeps its own type."""
        stored = self._call.attributes.get(name)
        if typed == _shown(stored):
            return stored
        if self._kinds[name] == "boolean":
            return {"true": True, "false": False}.get(typed)
        if self._kinds[name] == "number":
            try:
                number = Decimal(typed)
            except InvalidOperation:
                return None
            return int(number) if number == number.to_integral_value() else number
        return typed or None


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None or isinstance(value, tuple) else str(value)
