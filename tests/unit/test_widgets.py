"""Tags of form fields are those that Django's templates write, but for white space in selects."""

import re
from typing import Any

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates

from oipsce_site.widgets import PlainWidgets

_CHOICES = [("", "none"), ("a<", "b & c"), ("Group", [("1", "one"), (2, "two")])]


class Everything(forms.Form):
    """A field of every sort that pages have."""

    words = forms.CharField(widget=forms.Textarea(attrs={"rows": 3, "spellcheck": False}))
    key = forms.UUIDField(widget=forms.HiddenInput)
    kind = forms.ChoiceField(choices=_CHOICES)
    sure = forms.BooleanField()
    turn = forms.IntegerField(min_value=0, help_text="A number.")
    day = forms.DateField(widget=forms.DateInput(attrs={"type": "date"}))
    name = forms.CharField(max_length=20, required=False)
    secret = forms.CharField(widget=forms.PasswordInput)
    several = forms.MultipleChoiceField(
        choices=[("1", "one"), ("2", "two")], widget=forms.CheckboxSelectMultiple
    )
    file = forms.FileField()
    one = forms.ChoiceField(choices=[("1", "<one>")], widget=forms.RadioSelect)


TYPED: list[dict[str, Any] | None] = [
    None,
    {},
    {"words": '<b>"two"\nlines', "key": "no id", "kind": "a<", "sure": "on", "turn": "12"},
    {"day": "2026-02-30", "name": "O'Hara & sons", "kind": "2", "several": ["2"], "one": "1"},
]


@pytest.mark.parametrize("typed", TYPED)
@pytest.mark.parametrize("name", Everything.base_fields)
def test_a_field_and_its_errors_are_written_as_django_does(
    typed: dict[str, Any] | None, name: str
) -> None:
    ours, theirs = (
        re.sub(r">\s+<", "><", f"{form[name]}{form[name].errors}")
        for form in (Everything(typed, renderer=one()) for one in (PlainWidgets, DjangoTemplates))
    )
    assert ours == theirs


def test_a_whole_form_is_written_as_django_does() -> None:
    ours, theirs = (
        re.sub(r">\s+<", "><", str(Everything({"turn": "-1"}, renderer=one())))
        for one in (PlainWidgets, DjangoTemplates)
    )
    assert ours == theirs
