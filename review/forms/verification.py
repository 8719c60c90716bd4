"""The form that takes an audit to be verified."""

from __future__ import annotations

import re
from typing import Final

from django import forms

_FINGERPRINT: Final = re.compile(r"[0-9a-f]{64}")


class VerificationForm(forms.Form):
    """The file, the fingerprint it is held against, and a checkpoint that was kept."""

    audit = forms.FileField(
        label="Audit",
        help_text="A file NAME.oipaudit.zip. It is read in memory and not kept.",
        error_messages={
            "required": "Choose the audit's file.",
            "empty": "The file is empty. Choose the audit's file.",
        },
    )
    root = forms.CharField(
        label="Fingerprint of the root key",
        max_length=200,
        help_text="64 digits, from your contract or another source than the file.",
        error_messages={"required": "Give the fingerprint: without it nothing can be trusted."},
    )
    checkpoint = forms.FileField(
        label="Earlier checkpoint",
        required=False,
        help_text="If you kept one: proofs/checkpoint.txt of an earlier audit.",
    )

    def clean_root(self) -> str:
        """Return the fingerprint without blanks, in small letters."""
        root = "".join(self.cleaned_data["root"].split()).lower()
        if not _FINGERPRINT.fullmatch(root):
            raise forms.ValidationError(
                "A fingerprint has 64 hexadecimal digits, with or without spaces."
            )
        return root
