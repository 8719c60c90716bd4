"""The forms of a row's card: each asks for one decision. They check shape, not sense."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4, uuid5

from django import forms

from catalogs.core.document import Fact, Scalar
from review.core.decisions import (
    UNWATCHED,
    Ask,
    Attention,
    Contradiction,
    FactValue,
    ItemValue,
    Kind,
    PointValue,
    Span,
    UndoValue,
    Value,
    VerdictValue,
)
from review.core.rows import NEVER, UNKNOWN, Point, Verdict

Choices = Sequence[tuple[str, str]]
#: Finds words in a turn: (turn, words, a browser's selection in UTF-16 units or None) -> [start,
#: end) in code points. Raises ValueError.
Find = Callable[[int, str, tuple[int, int] | None], tuple[int, int]]

#: What people most often write where they contradict a proposal; each is a button of its own.
REASONS = (
    "It is on another turn.",
    "The words shown do not show it.",
    "It was said, but not to the person it is owed to.",
    "The evidence was overlooked.",
    "It was asked and not answered.",
)
_VERDICTS: Choices = [("pass", "pass"), ("fail", "fail"), ("unknown", "unknown")]
_CONTRADICTIONS: Choices = [
    ("", "nothing contradicts it"),
    (Contradiction.VOID.value, "void: it was never valid"),
    (Contradiction.REVOKED.value, "revoked: it was valid until then"),
    (Contradiction.NONE.value, "what was flagged is no contradiction"),
]
_MET: Choices = [("yes", "shown"), ("no", "not shown"), ("open", "cannot be told")]
_WORDS_OF_POINTS: dict[str, Point] = {"never": NEVER, "?": UNKNOWN, "unknown": UNKNOWN}
_LARGEST_TURN = 2**31 - 1
_MOST_SPENT = 24 * 3600 * 1000


def _hidden() -> forms.HiddenInput:
    # Nothing refers to them, and a card has some thirty.
    return forms.HiddenInput(attrs={"id": False})


class DecisionForm(forms.Form):
    """One decision: which kind, on which revision, under which key a resent form is known by."""

    use_required_attribute = False
    kinds: tuple[Kind, ...] = (Kind.CONFIRM,)
    has_reason = True

    kind = forms.CharField(widget=_hidden())
    revision = forms.IntegerField(min_value=0, max_value=_LARGEST_TURN, widget=_hidden())
    form_key = forms.UUIDField(widget=_hidden())

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        revision: int = 0,
        per_item: Sequence[str] = (),
        form_key: UUID | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        """Make the form on a row's revision; `per_item` are the items of a per-item phase."""
        given = {
            "kind": self.kinds[0].value,
            "revision": revision,
            "form_key": form_key or uuid4(),
            **(initial or {}),
        }
        name = self.kinds[0].value.lower().replace("_", "-")
        super().__init__(data, initial=given, auto_id=f"{name}-%s")
        if per_item:
            self.fields["key"] = forms.ChoiceField(
                label="Item", choices=[(one, one) for one in per_item]
            )
            self.order_fields(["key"])
        if self.has_reason:
            self.fields["reason"] = _reason()

    def clean(self) -> dict[str, Any]:
        """Take the reason from the button that was pressed, where none was typed."""
        given = super().clean() or self.cleaned_data
        because = str(self.data.get("because", ""))
        if self.has_reason and not given.get("reason") and because in REASONS:
            given["reason"] = because
        return given

    def clean_kind(self) -> str:
        """Refuse a kind that is not this form's."""
        kind = str(self.cleaned_data["kind"])
        if kind not in [one.value for one in self.kinds]:
            raise forms.ValidationError("Load the page again; this form is not known.")
        return kind

    def ask(
        self, *, phase: str | None, fact: str | None = None, attention: Attention = UNWATCHED
    ) -> Ask:
        """Return what a valid form asks for."""
        given = self.cleaned_data
        return Ask(
            Kind(given["kind"]),
            phase,
            fact,
            given.get("key") or None,
            self.value(),
            given.get("reason", ""),
            attention,
        )

    def key_for(self, call_id: UUID) -> UUID:
        """Return the key of the decision: of this page, kind and place, whatever was typed."""
        given = self.cleaned_data
        return uuid5(given["form_key"], f"{call_id}:{given['kind']}:{self.about()}")

    def about(self) -> str:
        """Return what sets two decisions of one kind on one page apart."""
        return str(self.cleaned_data.get("key") or "")

    @property
    def lost(self) -> bool:
        """Whether something is wrong with what the page itself put into the form."""
        return any(field.errors for field in self.hidden_fields())

    def value(self) -> Value:
        """Return what the decision says beside its kind."""
        return None

    def refuse(self, field: str, sentence: str) -> None:
        """Show a refusal at its field, or above the form where it has none of that name."""
        self.add_error(field if field in self.fields else None, sentence)


def _reason(label: str = "Why") -> forms.CharField:
    return forms.CharField(
        label=label, required=False, widget=forms.Textarea(attrs={"rows": 2}), strip=True
    )


class ConfirmForm(DecisionForm):
    """The row stands as it is shown."""

    has_reason = False


class WordsForm(DecisionForm):
    """A comment, or a doubt that goes to a senior reviewer."""

    kinds = (Kind.DOUBT, Kind.COMMENT)

    def __init__(self, *args: Any, **more: Any) -> None:
        """Call the reason what it is here."""
        super().__init__(*args, **more)
        self.fields["reason"].label = "Doubt or comment"


class _PointForm(DecisionForm):
    """A start or finish as people write it: a turn number, never, or ? for not known."""

    name = ""

    def _read(self) -> Point:
        written = str(self.cleaned_data[self.name]).strip().lower()
        if written in _WORDS_OF_POINTS:
            return _WORDS_OF_POINTS[written]
        if not written.isascii() or not written.isdecimal() or int(written) > _LARGEST_TURN:
            raise forms.ValidationError("Write a turn number, never, or ? for not known.")
        return int(written)

    def value(self) -> Value:
        """Return the point."""
        return PointValue(self.cleaned_data[self.name])


def _point(label: str) -> forms.CharField:
    wrong = {"required": "Write a turn number, never, or ? for not known."}
    return forms.CharField(label=label, max_length=20, error_messages=wrong)


class StartForm(_PointForm):
    """Where the phase was first entered."""

    kinds = (Kind.SET_START,)
    name = "start"
    start = _point("Start (turn, never or ?)")

    def clean_start(self) -> Point:
        """Read the point."""
        return self._read()


class FinishForm(_PointForm):
    """Where the phase was first complete."""

    kinds = (Kind.SET_FINISH,)
    name = "finish"
    finish = _point("Finish (turn, never or ?)")

    def clean_finish(self) -> Point:
        """Read the point."""
        return self._read()


class VerdictForm(DecisionForm):
    """The verdict, and what a later contradiction is called."""

    kinds = (Kind.SET_VERDICT,)
    verdict = forms.ChoiceField(choices=_VERDICTS)
    contradiction = forms.ChoiceField(
        label="Contradicted later", choices=_CONTRADICTIONS, required=False
    )
    at = forms.IntegerField(
        label="Revoked at turn", min_value=0, max_value=_LARGEST_TURN, required=False
    )

    def value(self) -> Value:
        """Return verdict and contradiction."""
        given = self.cleaned_data
        named = given["contradiction"]
        return VerdictValue(
            Verdict(given["verdict"]), Contradiction(named) if named else None, given["at"]
        )


class _ItemForm(DecisionForm):
    item = forms.ChoiceField(label="Acceptance item")

    def __init__(self, *args: Any, items: Choices = (), **more: Any) -> None:
        """Offer the phase's acceptance items."""
        super().__init__(*args, **more)
        self.fields["item"] = forms.ChoiceField(label="Acceptance item", choices=items)

    def about(self) -> str:
        """Two items are two decisions."""
        return f"{super().about()}:{self.cleaned_data['item']}"


class ItemForm(_ItemForm):
    """Whether an acceptance item was shown."""

    kinds = (Kind.SET_ITEM,)
    met = forms.ChoiceField(label="It was", choices=_MET)
    turn = forms.IntegerField(label="On turn", min_value=0, max_value=_LARGEST_TURN, required=False)

    def value(self) -> Value:
        """Return the item's mark."""
        given = self.cleaned_data
        met = {"yes": True, "no": False, "open": None}[given["met"]]
        return ItemValue(given["item"], met, given["turn"] if met else None)


class EvidenceForm(_ItemForm):
    """Words of a turn that show an item: as they stand there, or as a browser has them selected."""

    kinds = (Kind.SET_EVIDENCE,)
    turn = forms.IntegerField(label="Turn", min_value=0, max_value=_LARGEST_TURN)
    words = forms.CharField(label="Words, as they stand in the turn", max_length=2000, strip=False)
    first_unit = forms.IntegerField(required=False, min_value=0, widget=_hidden())
    last_unit = forms.IntegerField(required=False, min_value=0, widget=_hidden())
    find: Find | None = None

    def clean(self) -> dict[str, Any]:
        """Find the words in the turn."""
        given = super().clean() or self.cleaned_data
        if self.find is not None and "turn" in given and "words" in given:
            first, last = given.get("first_unit"), given.get("last_unit")
            selected = None if first is None or last is None else (first, last)
            try:
                given["span"] = self.find(given["turn"], given["words"], selected)
            except ValueError as refusal:
                self.add_error("words", str(refusal))
        return given

    def about(self) -> str:
        """Two spans of one item are two decisions."""
        return f"{super().about()}:{self.cleaned_data['turn']}:{self.cleaned_data['span']}"

    def value(self) -> Value:
        """Return the span."""
        given = self.cleaned_data
        return Span(given["item"], given["turn"], *given["span"])


class UndoForm(DecisionForm):
    """Takes a decision back, or an undo."""

    kinds = (Kind.UNDO,)
    has_reason = False
    of = forms.IntegerField(min_value=1, max_value=_LARGEST_TURN, widget=_hidden())

    def about(self) -> str:
        """Each decision is taken back by itself."""
        return str(self.cleaned_data["of"])

    def value(self) -> Value:
        """Return the number of what is taken back."""
        return UndoValue(self.cleaned_data["of"])


class FactForm(DecisionForm):
    """What the call yielded; empty is not known."""

    kinds = (Kind.SET_FACT,)
    fact_value = forms.CharField(label="Value", max_length=200, required=False)

    def __init__(self, *args: Any, fact: Fact, **more: Any) -> None:
        """Ask for a value of the fact's type."""
        super().__init__(*args, **more)
        self._type = fact.type
        self.auto_id = f"fact-{fact.name}-%s"
        if fact.type == "boolean":
            self.fields["fact_value"] = forms.ChoiceField(
                label="Value",
                required=False,
                choices=[("", "not known"), ("true", "true"), ("false", "false")],
            )

    def clean_fact_value(self) -> Scalar:
        """Read the value as its type."""
        written = str(self.cleaned_data["fact_value"]).strip()
        if not written:
            return None
        try:
            return _SCALARS[self._type](written)
        except (KeyError, ValueError):
            raise forms.ValidationError(
                f"Write a {self._type}, such as {_EXAMPLES[self._type]}."
            ) from None

    def value(self) -> Value:
        """Return the fact."""
        return FactValue(self.cleaned_data["fact_value"])


def _number(written: str) -> Decimal:
    if not re.fullmatch(r"-?[0-9]{1,15}(\.[0-9]{1,6})?", written):
        raise ValueError
    return Decimal(written)


_SCALARS: dict[str, Callable[[str], Scalar]] = {
    "boolean": lambda written: {"true": True, "false": False}[written],
    "number": _number,
    "date": date.fromisoformat,
    "string": str,
}
_EXAMPLES = {"number": "12.50", "date": "2026-03-10", "boolean": "true", "string": "A-12"}


class AttentionForm(forms.Form):
    """What the page saw of the person before they decided; a wrong word is no word."""

    seen = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")], required=False)
    spent = forms.IntegerField(min_value=0, max_value=_MOST_SPENT, required=False)

    def attention(self) -> Attention:
        """Return what was seen, as far as it is known."""
        if not self.is_valid():
            return Attention()
        seen = {"yes": True, "no": False}.get(self.cleaned_data["seen"])
        return Attention(seen, self.cleaned_data["spent"])


class ConfirmRowsForm(forms.Form):
    """The rows that are confirmed together, each as PHASE:REVISION, as the page showed them."""

    form_key = forms.UUIDField()
    rows = forms.CharField()

    def clean_rows(self) -> dict[str, int]:
        """Read the revisions by phase."""
        pairs = (one.rpartition(":") for one in str(self.cleaned_data["rows"]).split())
        try:
            return {phase: int(revision) for phase, _, revision in pairs}
        except ValueError:
            raise forms.ValidationError("Load the page again; this form is not known.") from None
