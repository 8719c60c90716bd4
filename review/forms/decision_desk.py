"""The forms beside one row or one fact: filled with what is shown, or with what a person typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from uuid import uuid4

from catalogs.core.document import Document
from review.core.decisions import Kind
from review.core.evaluation import Report, RowReport
from review.core.evidence.selection import span_of_selection
from review.core.transcript import Call
from review.forms.candidates import CandidateForm
from review.forms.decisions import (
    REASONS,
    ConfirmForm,
    DecisionForm,
    EvidenceForm,
    FactForm,
    FinishForm,
    ItemForm,
    StartForm,
    UndoForm,
    VerdictForm,
    WordsForm,
)

Typed = Mapping[str, Any]
#: Returns the call with its words, once the log has it who opened them.
Read = Callable[[], Call]


@dataclass
class RowDesk:
    """The forms of one row, by what they ask; `sent` is the one whose form came in."""

    phase: str
    confirm: DecisionForm
    start: DecisionForm
    finish: DecisionForm
    verdict: DecisionForm
    item: DecisionForm
    evidence: DecisionForm
    candidate: DecisionForm
    words: DecisionForm
    undo: UndoForm
    sent: DecisionForm | None = field(default=None)
    reasons: tuple[str, ...] = REASONS

    @property
    def forms(self) -> tuple[DecisionForm, ...]:
        """Every form of the row."""
        return (
            *(self.confirm, self.start, self.finish, self.verdict),
            *(self.item, self.evidence, self.candidate, self.words, self.undo),
        )

    @property
    def corrects(self) -> bool:
        """Whether the form that came in sets a value, so that its part of the card stays open."""
        return self.sent in (self.start, self.finish, self.verdict)

    @property
    def marks(self) -> bool:
        """Whether the form that came in is about items."""
        return self.sent in (self.item, self.evidence)


@dataclass
class FactDesk:
    """The form of one fact."""

    fact: str
    revision: int
    form: FactForm
    undo: UndoForm
    sent: DecisionForm | None = field(default=None)


def lay_out_row(
    phase: str,
    report: Report,
    document: Document,
    read: Read,
    revision: int,
    typed: Typed | None,
) -> RowDesk:
    """Lay out the forms of a row; `typed` fills the one whose kind it names.

    The call is `read` only to find typed words in it. Raises KeyError for a phase that the call has
    no row of.
    """
    row = report.row(phase)
    spec = document.phase(phase)
    items = [(one.id, one.text) for one in spec.accept]
    given: dict[str, Any] = {
        "revision": revision,
        "form_key": uuid4(),
        "per_item": [one.key for one in row.instances],
    }
    whole = {**given, "per_item": ()}
    data = partial(_typed_into, typed or {})

    evidence = EvidenceForm(data(EvidenceForm), items=items, **given)
    evidence.find = partial(_find, read)
    candidate = CandidateForm(data(CandidateForm), **whole)
    candidate.whole = partial(_length, read)
    desk = RowDesk(
        phase,
        ConfirmForm(data(ConfirmForm), **whole),
        StartForm(data(StartForm), initial={"start": _written(row.start)}, **given),
        FinishForm(data(FinishForm), initial={"finish": _written(row.finish)}, **given),
        VerdictForm(data(VerdictForm), initial={"verdict": row.verdict}, **given),
        ItemForm(data(ItemForm), initial=_first_item(row), items=items, **given),
        evidence,
        candidate,
        WordsForm(data(WordsForm), **whole),
        UndoForm(data(UndoForm), **whole),
    )
    desk.sent = next((form for form in desk.forms if form.is_bound), None)
    return desk


def _typed_into(typed: Typed, form: type[DecisionForm]) -> Typed | None:
    """Return what was typed, for the form that it came by. Evidence comes by two of them: the
    button of a candidate says which.
    """
    other = EvidenceForm if "candidate" in typed else CandidateForm
    is_its_kind = typed.get("kind") in [one.value for one in form.kinds]
    return typed if is_its_kind and form is not other else None


def lay_out_fact(
    name: str,
    report: Report,
    document: Document,
    revision: int,
    typed: Typed | None,
    *,
    is_hidden: bool = False,
) -> FactDesk:
    """Lay out the form of a fact; a value that is masked is not filled in, lest the mask be stored.

    Raises KeyError for a fact that the catalog has not.
    """
    value = None if is_hidden else report.facts[name]
    written = "" if value is None else str(value).lower() if value in (True, False) else str(value)
    undone = (typed or {}).get("kind") == Kind.UNDO.value
    given: dict[str, Any] = {"revision": revision, "form_key": uuid4()}
    form = FactForm(
        None if undone else typed,
        fact=document.facts[name],
        initial={"fact_value": written},
        **given,
    )
    undo = UndoForm(typed if undone else None, **given)
    return FactDesk(name, revision, form, undo, undo if undone else form if form.is_bound else None)


def _written(point: int | str | None) -> str:
    return "?" if point is None else str(point)


def _first_item(row: RowReport) -> dict[str, Any]:
    return {"turn": row.items[0].turn} if row.items else {}


def _length(read: Read, turn: int) -> int:
    text = _text(read, turn)
    if not text:
        raise ValueError(f"Turn {turn} says nothing. Load the page again.")
    return len(text)


def _text(read: Read, turn: int) -> str:
    text = next((one.text for one in read().turns if one.number == turn), None)
    if text is None:
        raise ValueError(f"The call has no turn {turn}.")
    return text


def _find(read: Read, turn: int, words: str, selected: tuple[int, int] | None) -> tuple[int, int]:
    text = _text(read, turn)
    if selected is not None:
        return span_of_selection(text, *selected, words)
    words = words.strip()
    at = text.find(words)
    if at < 0:
        raise ValueError(f"Turn {turn} does not say this word for word. Copy it from there.")
    if text.find(words, at + 1) >= 0:
        raise ValueError(f"Turn {turn} says this more than once. Take more words with it.")
    return at, at + len(words)
