"""The rehearsal of a draft: its examples as the rules read them now, and the last one asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from catalogs.core.document import Document
from catalogs.models import OrderState
from catalogs.presenters.marks import Mark
from catalogs.queries import OrderLine
from review.core.rehearsal.alone import PhaseAlone
from review.core.rehearsal.examples import Example, comes_out, examples_of

_FITS = Mark("✓", "as it must", "pass")
_MISSES = {
    "pass": Mark("✕", "the rules miss it", "fail"),
    "fail": Mark("✕", "the rules pass it", "fail"),
}
_WHOLE = 100


@dataclass(frozen=True, slots=True)
class ShownExample:
    """One example sentence and how it came out."""

    kind: str
    text: str
    mark: Mark


@dataclass(frozen=True, slots=True)
class PhaseExamples:
    """The examples of one phase; `unread` says which cannot be told apart into turns."""

    phase: str
    name: str
    examples: tuple[ShownExample, ...]
    unread: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the last rehearsal that was asked for has come."""

    words: str
    tone: str
    state: str
    share: int
    is_over: bool


def show_examples(document: Document, only: str | None = None) -> tuple[PhaseExamples, ...]:
    """Run the examples of each phase, or of `only` one, through its rules as they are."""
    examples, unread = examples_of(document, None)
    return tuple(
        PhaseExamples(
            phase.id,
            phase.name,
            _shown(PhaseAlone(document, phase), examples[phase.id]),
            tuple(one.text for one in unread if one.where.startswith(f"{phase.id}.")),
        )
        for phase in document.phases
        if only in (None, phase.id)
    )


def _shown(alone: PhaseAlone, examples: Sequence[Example]) -> tuple[ShownExample, ...]:
    return tuple(
        ShownExample(
            one.kind.name, one.text, _FITS if comes_out(alone, one) else _MISSES[one.kind.name]
        )
        for one in examples
    )


def show_progress(order: OrderLine | None, worker: str) -> Progress | None:
    """Draw how far an order is; `worker` says that no worker answers, or is empty."""
    if order is None:
        return None
    of = f"text {order.number}, asked for by {order.by}"
    said = f". {worker}" if worker else ""
    match OrderState(order.state):
        case OrderState.WAITING:
            words = f"waits for a worker: {of}{said}"
            return Progress(words, "unknown", "waiting", 0, is_over=False)
        case OrderState.RUNNING if order.total:
            words = f"{order.done} of {order.total} wrong changes tried: {of}{said}"
            share = order.done * _WHOLE // order.total
            return Progress(words, "unknown", "running", share, is_over=False)
        case OrderState.RUNNING:
            words = f"examples and tests are run: {of}{said}"
            return Progress(words, "unknown", "running", 0, is_over=False)
        case OrderState.DONE:
            return Progress(f"done: {of}", "pass", "done", _WHOLE, is_over=True)
        case OrderState.FAILED:
            words = f"given up after several attempts: {of}. Ask for it again, or tell the operator"
            return Progress(words, "fail", "failed", 0, is_over=True)
