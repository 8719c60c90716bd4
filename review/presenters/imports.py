"""Import batches in words: state, progress, counts, and what can be done about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from review.presenters.standing import silence
from review.queries import WorkerLife
from review.queries.imports import BatchLine, BatchList, CallOutcome

PAGE_SIZE = 25
OUTCOMES_SIZE = 100
#: Outcomes as filters, those that need a person first.
WORDS = ("refused", "created", "changed", "unchanged")

_TONES = {"refused": "fail", "created": "pass", "changed": "unknown", "unchanged": "muted"}
_SIGNS = {"refused": "✕", "created": "✓", "changed": "↻", "unchanged": "="}
_STATES = {
    "QUEUED": ("waiting", "muted"),
    "RUNNING": ("importing", "unknown"),
    "PAUSED": ("paused", "unknown"),
    "DONE": ("done", "pass"),
    "FAILED": ("stopped", "fail"),
}


@dataclass(frozen=True, slots=True)
class Count:
    """How many calls have one outcome."""

    word: str
    number: int
    tone: str
    sign: str
    query: str = ""
    current: bool = False


@dataclass(frozen=True, slots=True)
class Batch:
    """One batch. `share` is whole percent; `trouble` a sentence where something keeps it."""

    id: UUID
    name: str
    site: str
    state: str
    tone: str
    is_over: bool
    can_pause: bool
    can_resume: bool
    share: int
    done: str
    counts: tuple[Count, ...]
    refused: int
    received: datetime
    by: str
    trouble: str


@dataclass(frozen=True, slots=True)
class ImportsPage:
    """The list of batches."""

    batches: tuple[Batch, ...]
    shown: str
    previous: str
    next: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one call."""

    number: int
    word: str
    tone: str
    sign: str
    place: str
    sentence: str
    call_id: UUID | None


@dataclass(frozen=True, slots=True)
class BatchPage:
    """One batch, and a page of what became of its calls."""

    batch: Batch
    filters: tuple[Count, ...]
    word: str
    outcomes: tuple[Outcome, ...]
    next: str
    sees_outcomes: bool


def read_page(query: str) -> int:
    """Read a page's number from an address; 1 for anything that is none."""
    return int(query) if query.isascii() and query.isdigit() and 0 < int(query) < 10_000 else 1


def read_word(query: str) -> str | None:
    """Read an outcome from an address; None for all of them."""
    return query if query in WORDS else None


def show_imports(found: BatchList, page: int, worker: WorkerLife) -> ImportsPage:
    """Draw the list."""
    first = (page - 1) * PAGE_SIZE
    last = first + len(found.lines)
    return ImportsPage(
        batches=tuple(show_batch(line, worker) for line in found.lines),
        shown=f"{first + 1} to {last} of {found.total}" if found.lines else "",
        previous=f"?page={page - 1}" if page > 1 else "",
        next=f"?page={page + 1}" if last < found.total else "",
    )


def show_batch(line: BatchLine, worker: WorkerLife) -> Batch:
    """Draw one batch."""
    word, tone = _STATES[line.state]
    is_over = line.state in ("DONE", "FAILED")
    return Batch(
        id=line.id,
        name=line.name or "An import",
        site=line.site_name,
        state=word,
        tone=tone,
        is_over=is_over,
        can_pause=line.state in ("QUEUED", "RUNNING"),
        can_resume=line.state in ("PAUSED", "FAILED"),
        share=_share(line),
        done=_done(line),
        counts=tuple(_count(one, line.words.get(one, 0)) for one in WORDS),
        refused=line.words.get("refused", 0),
        received=line.received_at,
        by=line.received_by or "the operator of this machine",
        trouble=line.failure or _silence(line, worker),
    )


def show_outcomes(
    batch: Batch, outcomes: Sequence[CallOutcome], word: str | None, *, sees_outcomes: bool
) -> BatchPage:
    """Draw the page of a batch; `outcomes` may hold one more than is shown, which tells of more."""
    shown = outcomes[:OUTCOMES_SIZE]
    asked = f"word={word}&" if word else ""
    return BatchPage(
        batch=batch,
        filters=(
            Count("all", sum(one.number for one in batch.counts), "muted", "", "?", word is None),
            *(_filter(one, word) for one in batch.counts),
        ),
        word=word or "",
        outcomes=tuple(_outcome(one) for one in shown),
        next=f"?{asked}after={shown[-1].position}" if len(outcomes) > OUTCOMES_SIZE else "",
        sees_outcomes=sees_outcomes,
    )


def _count(word: str, number: int) -> Count:
    return Count(word, number, _TONES[word] if number else "muted", _SIGNS[word])


def _filter(count: Count, word: str | None) -> Count:
    return Count(
        count.word, count.number, count.tone, count.sign, f"?word={count.word}", count.word == word
    )


def _outcome(one: CallOutcome) -> Outcome:
    return Outcome(
        number=one.position + 1,
        word=one.word,
        tone=_TONES[one.word],
        sign=_SIGNS[one.word],
        place=one.place,
        sentence=one.sentence,
        call_id=one.call_id,
    )


def _share(line: BatchLine) -> int:
    """Return how far the batch is in whole percent; below 100 until it is done."""
    if line.state == "DONE":
        return 100
    of, done = (line.parts, line.parts_done) if line.parts > 1 else (line.expected, line.cursor)
    return min(99, 100 * done // of) if of else 0


def _done(line: BatchLine) -> str:
    calls = f"{line.cursor:,} call{'' if line.cursor == 1 else 's'}"
    if line.parts > 1:
        return f"{calls}; {line.parts_done:,} of {line.parts:,} files"
    return f"{line.cursor:,} of {line.expected:,} calls" if line.expected else calls


def _silence(line: BatchLine, worker: WorkerLife) -> str:
    if line.state not in ("QUEUED", "RUNNING"):
        return ""
    return silence(worker)
