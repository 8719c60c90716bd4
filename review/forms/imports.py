"""The form that takes files of calls in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from oipsce_site.people.models import Site


class FilesInput(forms.ClearableFileInput):
    """A choice of several files."""

    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Several files; what is checked of each is checked by the action that takes them."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile[bytes]]:
        """Return the files that came, one at least. Raises ValidationError."""
        files = data if isinstance(data, (list, tuple)) else [data]
        return [super(FilesField, self).clean(file, initial) for file in files or [None]]


class ImportForm(forms.Form):
    """Files of calls, the site they belong to, and (rarely) their format."""

    uploads = FilesField(
        label="Files of calls",
        help_text=(
            "One or more files, or a ZIP archive of them; each at most 20 MB. Two TextGrids of "
            "one call belong together if their names end in _doctor and _patient, or other roles."
        ),
        error_messages={
            "required": "Choose one or more files of calls.",
            "empty": "The file is empty. Choose another one.",
        },
    )

    confirm_roles = forms.BooleanField(
        required=False,
        label="Confirm usual names of roles",
        help_text="“Doctor” is then the clinician, for this source from now on.",
    )
    new_revision = forms.BooleanField(
        required=False,
        label="Take other bytes of a known call",
        help_text="They become its next transcript; a call that people work on takes none.",
    )

    def __init__(self, *data: Any, sites: Sequence[Site], formats: Mapping[str, str]) -> None:
        super().__init__(*data)
        self._sites = {str(site.pk): site for site in sites}
        self.fields["site"] = forms.ChoiceField(
            choices=[(key, site.name) for key, site in self._sites.items()],
            error_messages={
                "required": "Choose a site.",
                "invalid_choice": "You do not import for this site. Choose one of the list.",
            },
        )
        self.fields["format"] = forms.ChoiceField(
            choices=[("", "recognise by content"), *formats.items()],
            required=False,
            help_text="Recognised by content; choose one only where that went wrong.",
            error_messages={"invalid_choice": "There is no such format. Choose one of the list."},
        )
        self.order_fields(["site", "uploads", "format", "confirm_roles", "new_revision"])

    def clean_site(self) -> Site:
        """Return the site that was chosen."""
        return self._sites[self.cleaned_data["site"]]

    @property
    def has_sites(self) -> bool:
        """Say whether there is any site to import for."""
        return bool(self._sites)
