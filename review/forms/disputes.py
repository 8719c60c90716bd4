"""The forms of disputes: what is held to be wrong, and the answer to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

from django import forms

from review.models import DisputedResult, DisputeEnd, DisputeKind, VerdictCode

_WORDS = {"rows": 4}
_RESULT, _PHASE = "result:", "phase:"


class DisputeForm(forms.Form):
    """Disputes what was signed of a call."""

    use_required_attribute = False

    form_key = forms.UUIDField(widget=forms.HiddenInput())
    about = forms.ChoiceField(
        label="What is disputed",
        error_messages={
            "required": "Choose what is disputed.",
            "invalid_choice": "This was not signed. Choose one of the list.",
        },
    )
    kind = forms.ChoiceField(
        label="What is wrong with it",
        choices=[("", "Choose what is wrong"), *DisputeKind.choices],
        error_messages={"required": "Choose what is wrong with it."},
    )
    words = forms.CharField(
        label="In words",
        required=False,
        widget=forms.Textarea(attrs=_WORDS),
        help_text="Sealed with the call. Who answers reads it, and so may who reads the call.",
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        phases: Sequence[tuple[str, str]] = (),
        phase: str = "",
    ) -> None:
        """Make the form for these phases, each with its verdict, one of them chosen before.

        A spoilt key is replaced: nobody could correct it, and what was typed is not lost for it.
        """
        initial = {"form_key": uuid4(), "about": f"{_PHASE}{phase}" if phase else ""}
        super().__init__(data if data is None else _with_key(data), initial=initial)
        own = self.fields["about"]
        own.choices = [  # type: ignore[attr-defined]
            ("", "Choose what is disputed"),
            ("Of the call", [(f"{_RESULT}{one.value}", one.label) for one in DisputedResult]),
            ("Phases", [(f"{_PHASE}{one}", _phase(one, verdict)) for one, verdict in phases]),
        ]

    def kind_meant(self) -> DisputeKind:
        """Return what a valid form holds to be wrong."""
        return DisputeKind(self.cleaned_data["kind"])

    def meant(self) -> tuple[str, DisputedResult | None]:
        """Return the phase of a valid form, or the result with an empty phase."""
        about: str = self.cleaned_data["about"]
        if about.startswith(_PHASE):
            return about.removeprefix(_PHASE), None
        return "", DisputedResult(about.removeprefix(_RESULT))

    def key(self) -> UUID:
        """Return the key of a valid form."""
        found: UUID = self.cleaned_data["form_key"]
        return found


class AnswerDisputeForm(forms.Form):
    """Upholds what is disputed, or overturns it."""

    use_required_attribute = False

    end = forms.ChoiceField(
        label="Answer",
        choices=[
            ("", "Choose the answer"),
            *((one.value, str(one.label)) for one in (DisputeEnd.UPHELD, DisputeEnd.OVERTURNED)),
        ],
        error_messages={"required": "Say whether it stands as signed."},
    )
    words = forms.CharField(
        label="Why",
        required=False,
        widget=forms.Textarea(attrs=_WORDS),
        help_text="Sealed with the call. Who disputed it reads it.",
    )

    def meant(self) -> DisputeEnd:
        """Return the answer of a valid form."""
        return DisputeEnd(self.cleaned_data["end"])


def _with_key(data: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        UUID(data.get("form_key", ""))
    except ValueError:
        return {**{name: data[name] for name in data}, "form_key": str(uuid4())}
    return data


def _phase(phase: str, verdict: str) -> str:
    return f"{phase}, {VerdictCode(verdict).label}"
