"""A candidate by wording that is taken as evidence: one press, and no word to write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms

from review.core.decisions import UNWATCHED, Ask, Attention, Kind, Span, Value
from review.forms.decisions import DecisionForm

#: Why a candidate counts although the rules left its item open; whoever reads the row later sees
#: that it was taken from there.
_TAKEN = "Taken from the candidates by wording; the rules had left this item open."


class CandidateForm(DecisionForm):
    """A candidate by wording, taken as evidence of its item: the whole of its turn.

    Its button says which, as PLACE:TURN:ITEM; the card has one form for all of them.
    """

    kinds = (Kind.SET_EVIDENCE,)
    candidate = forms.RegexField(r"^[1-3]:[0-9]{1,9}:[^:\s]{1,200}$", widget=forms.HiddenInput)
    whole: Callable[[int], int] | None = None

    def clean(self) -> dict[str, Any]:
        """Read which one it is, and how long its turn is."""
        given = super().clean() or self.cleaned_data
        if self.whole is not None and "candidate" in given:
            place, turn, item = given["candidate"].split(":", 2)
            try:
                given["span"] = Span(item, int(turn), 0, self.whole(int(turn)))
            except ValueError as refusal:
                self.add_error(None, str(refusal))
            given["place"] = int(place)
            given["reason"] = given.get("reason") or _TAKEN
        return given

    def ask(
        self, *, phase: str | None, fact: str | None = None, attention: Attention = UNWATCHED
    ) -> Ask:
        """Return what is asked for, with the place of the candidate."""
        asked = super().ask(phase=phase, fact=fact, attention=attention)
        return asked._replace(candidate=self.cleaned_data["place"])

    def about(self) -> str:
        """Return which candidate it is."""
        return str(self.cleaned_data["candidate"])

    def value(self) -> Value:
        """Return the span."""
        span: Span = self.cleaned_data["span"]
        return span
