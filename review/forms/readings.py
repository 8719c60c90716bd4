"""What a blind reader types of one row, and why a difference is settled or a reading called off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

from django import forms

from review.core.readings import Answer, EvidenceSpan
from review.core.rows import Verdict
from review.core.transcript import Call
from review.forms.row_from_nothing import Item, RowFromNothingForm, initial_of

_LARGEST_TURN = 2**31 - 1
_LONGEST_WORDS = 2000


class BlindRowForm(RowFromNothingForm):
    """One row from nothing: required, start, finish, verdict, and words that show each item."""

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        items: Sequence[Item],
        call: Call,
        said: Answer | None = None,
    ) -> None:
        """Ask for a row of a call; `said` is the reader's own earlier answer."""
        self._items = items
        self._texts = {turn.number: turn.text for turn in call.turns}
        given = {"form_key": uuid4(), **({} if said is None else self._written(said))}
        super().__init__(data, initial=given, auto_id="blind-%s")
        for item, _ in items:
            self.fields[f"turn_{item}"] = forms.IntegerField(
                label="Turn", required=False, min_value=0, max_value=_LARGEST_TURN
            )
            self.fields[f"words_{item}"] = forms.CharField(
                label="Words, as they stand there", required=False, max_length=_LONGEST_WORDS
            )

    @property
    def evidence(self) -> tuple[tuple[str, forms.BoundField, forms.BoundField], ...]:
        """Each acceptance item in words, with the fields of its evidence."""
        return tuple(
            (text, self[f"turn_{item}"], self[f"words_{item}"]) for item, text in self._items
        )

    def clean(self) -> dict[str, Any]:
        """Find the words of each item in their turn."""
        given = super().clean() or self.cleaned_data
        spans = []
        for item, _ in self._items:
            turn, words = given.get(f"turn_{item}"), str(given.get(f"words_{item}") or "").strip()
            if turn is None and not words:
                continue
            try:
                spans.append(EvidenceSpan(item, *self._find(turn, words)))
            except ValueError as refusal:
                missing_turn = turn is None or turn not in self._texts
                self.add_error(f"{'turn' if missing_turn else 'words'}_{item}", str(refusal))
        given["spans"] = tuple(spans)
        return given

    def answer(self) -> Answer:
        """Return what a valid form says."""
        given = self.cleaned_data
        return Answer(
            self.owed,
            given["start"],
            given["finish"],
            Verdict(given["verdict"]),
            given["spans"],
        )

    def _find(self, turn: int | None, words: str) -> tuple[int, int, int]:
        text = None if turn is None else self._texts.get(turn)
        if turn is None:
            raise ValueError("Say on which turn these words stand.")
        if text is None:
            raise ValueError(f"The call has no turn {turn}.")
        if not words:
            raise ValueError(f"Copy the words of turn {turn} that show it.")
        at = text.find(words)
        if at < 0:
            raise ValueError(f"Turn {turn} does not say this word for word. Copy it from there.")
        if text.find(words, at + 1) >= 0:
            raise ValueError(f"Turn {turn} says this more than once. Take more words with it.")
        return turn, at, at + len(words)

    def _written(self, said: Answer) -> dict[str, Any]:
        written = initial_of(said.required, said.start, said.finish, said.verdict.value)
        for one in said.evidence:
            written[f"turn_{one.item}"] = one.turn
            written[f"words_{one.item}"] = self._texts.get(one.turn, "")[one.start : one.end]
        return written


class SettleForm(forms.Form):
    """Why one of two readings stands; which one is the button that was pressed."""

    use_required_attribute = False

    form_key = forms.UUIDField(widget=forms.HiddenInput(attrs={"id": False}))
    revision = forms.IntegerField(
        min_value=0, max_value=_LARGEST_TURN, widget=forms.HiddenInput(attrs={"id": False})
    )
    side = forms.ChoiceField(choices=[("first", "first"), ("second", "second")])
    reason = forms.CharField(
        label="Why",
        # Blanks alone are refused by the action, with its own sentence.
        required=False,
        widget=forms.Textarea(attrs={"rows": 2, "maxlength": 2000, "autocomplete": "off"}),
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, phase: str, revision: int = 0
    ) -> None:
        """Make the form of a row on its revision."""
        given = {"form_key": uuid4(), "revision": revision}
        super().__init__(data, initial=given, auto_id=f"settle-{phase}-%s")


class SharesForm(forms.Form):
    """How many of a hundred a site has read blind."""

    use_required_attribute = False

    double = forms.IntegerField(
        label="Calls, of a hundred",
        min_value=0,
        max_value=100,
        help_text="Every row is read twice.",
    )
    critical = forms.IntegerField(
        label="Safety-critical rows, of a hundred",
        min_value=0,
        max_value=100,
        help_text="Only the rows that were drawn are read twice.",
    )
    drift = forms.IntegerField(
        label="Signed calls, of a hundred",
        min_value=0,
        max_value=100,
        help_text="Read again after their signature, to see drift.",
    )
