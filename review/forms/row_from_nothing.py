"""A row that is read from nothing: what a blind reader and a rater are asked alike."""

from __future__ import annotations

import re
from typing import Any

from django import forms

from review.core.row_values import point_to_json
from review.core.rows import NEVER, UNKNOWN, Point

#: An acceptance item of a phase: its id, and what it asks for in words.
Item = tuple[str, str]

#: What a reader is told who wrote something else for a turn.
POINT = "Write a turn number, never, or ?."
_OWED = {"yes": True, "no": False, "open": None}
_REQUIRED = [("", "choose"), ("yes", "yes"), ("no", "no"), ("open", "cannot be told")]
_VERDICTS = [("", "choose"), ("pass", "pass"), ("fail", "fail"), ("unknown", "cannot be told")]


class RowFromNothingForm(forms.Form):
    """Required, start, finish and verdict; what shows the items is each form's own."""

    use_required_attribute = False

    form_key = forms.UUIDField(widget=forms.HiddenInput(attrs={"id": False}))
    required = forms.ChoiceField(
        label="Required here",
        choices=_REQUIRED,
        error_messages={"required": "Say whether the call owes this phase."},
    )
    start = forms.CharField(label="Start turn", max_length=12, error_messages={"required": POINT})
    finish = forms.CharField(label="Finish turn", max_length=12, error_messages={"required": POINT})
    verdict = forms.ChoiceField(
        label="Verdict",
        choices=_VERDICTS,
        error_messages={"required": "Choose what the row is worth."},
    )

    @property
    def values(self) -> tuple[forms.BoundField, ...]:
        """The fields of the row as a whole."""
        return tuple(self[name] for name in ("required", "start", "finish", "verdict"))

    @property
    def owed(self) -> bool | None:
        """Whether a valid form says that the call owes the phase; None: it cannot be told."""
        return _OWED[self.cleaned_data["required"]]

    def clean_start(self) -> Point:
        """Read the start."""
        return read_point(self.cleaned_data["start"])

    def clean_finish(self) -> Point:
        """Read the finish."""
        return read_point(self.cleaned_data["finish"])

    def refuse(self, field: str, sentence: str) -> None:
        """Show a refusal at its field, or above the form."""
        self.add_error(field if field in self.fields else None, sentence)


def read_point(written: str) -> Point:
    """Read a turn number, never, or ?. Raises ValidationError."""
    word = written.strip().lower()
    if word == NEVER.value:
        return NEVER
    if word in ("?", UNKNOWN.value):
        return UNKNOWN
    if not re.fullmatch(r"[0-9]{1,9}", word, re.ASCII):
        raise forms.ValidationError(POINT)
    return int(word)


def write_point(point: Point) -> str:
    """Write a point as `read_point` reads it."""
    return "?" if point is UNKNOWN else str(point_to_json(point))


def initial_of(
    owed: bool | None,  # noqa: FBT001 - a value like the others
    start: Point,
    finish: Point,
    verdict: str,
) -> dict[str, Any]:
    """Return what the fields of the row hold for what was said before."""
    return {
        "required": next(word for word, value in _OWED.items() if value is owed),
        "start": write_point(start),
        "finish": write_point(finish),
        "verdict": verdict,
    }
