"""Starting a draft, and its text as it is typed or handed in as a file."""

from __future__ import annotations

from django import forms


class StartForm(forms.Form):
    """How a draft begins: from a version, as an overlay of one for a site, from a file, or from
    nothing. `back` says that it brings an earlier version back, `on_newer` that an overlay is to be
    laid over the newest version of its base.
    """

    version = forms.UUIDField(required=False)
    overlay_of = forms.UUIDField(required=False)
    site = forms.SlugField(required=False, max_length=64)
    back = forms.BooleanField(required=False)
    on_newer = forms.BooleanField(required=False)
    file = forms.FileField(
        required=False,
        label="A catalog file",
        help_text="YAML. Its bytes are kept as they are, whatever is in it.",
        widget=forms.FileInput(attrs={"accept": ".yaml,.yml,text/yaml,text/plain"}),
    )


class TextForm(forms.Form):
    """A text as a browser sends it, and the number of the text that it was written over."""

    text = forms.CharField(required=False, strip=False)
    expected = forms.IntegerField(min_value=0)


class FileForm(forms.Form):
    """A file that takes the place of the text."""

    expected = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    file = forms.FileField(
        label="A catalog file",
        widget=forms.FileInput(attrs={"accept": ".yaml,.yml,text/yaml,text/plain"}),
    )


class ExpectingForm(forms.Form):
    """An act on the text that somebody has read."""

    expected = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
