"""Two versions side by side: what differs in words, phase by phase, and how grave it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from catalogs.core.diff import Change, Effect, diff
from catalogs.core.document import Document
from catalogs.presenters.marks import NEUTRAL, Mark
from catalogs.presenters.version_words import state_words
from catalogs.queries import VersionLine

_MARKS = {
    Effect.PASS_TO_FAIL: Mark("✕", Effect.PASS_TO_FAIL.value, "fail"),
    Effect.FAIL_TO_PASS: Mark("✓", Effect.FAIL_TO_PASS.value, "pass"),
    Effect.EITHER: Mark("?", Effect.EITHER.value, "unknown"),
    Effect.WORDS: Mark(NEUTRAL, Effect.WORDS.value, "muted"),
}


@dataclass(frozen=True, slots=True)
class ShownChange:
    """One change in words."""

    key: str
    mark: Mark
    text: str


@dataclass(frozen=True, slots=True)
class ChangedPart:
    """A phase with its changes, or the catalog as a whole."""

    name: str
    changes: tuple[ShownChange, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """How many changes have one effect."""

    mark: Mark
    number: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything that differs; `parts` is empty for two texts of the same content."""

    tallies: tuple[Tally, ...]
    parts: tuple[ChangedPart, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """A version to choose."""

    id: UUID
    words: str
    is_chosen: bool


def show_comparison(old: Document, new: Document) -> Comparison:
    """Draw what differs from one document to the other."""
    changes = diff(old, new)
    numbers = Counter(change.effect for change in changes)
    return Comparison(
        tallies=tuple(Tally(_MARKS[one], numbers[one]) for one in Effect if numbers[one]),
        parts=tuple(_parts(changes, new)),
    )


def _parts(changes: Sequence[Change], new: Document) -> Iterator[ChangedPart]:
    names = {phase.id: f"{phase.id} {phase.name}" for phase in new.phases}
    grave = {effect: place for place, effect in enumerate(Effect)}
    for phase in dict.fromkeys(change.phase for change in changes):
        own = [change for change in changes if change.phase == phase]
        own.sort(key=lambda change: grave[change.effect])
        shown = tuple(ShownChange(one.key, _MARKS[one.effect], one.text) for one in own)
        yield ChangedPart(names.get(phase, phase) if phase else "The catalog", shown)


def choices(lines: Sequence[VersionLine], chosen: UUID | None) -> tuple[Choice, ...]:
    """Draw the versions that may be compared."""
    return tuple(
        Choice(
            line.id,
            f"{line.slug} {line.version} ({state_words(line.state, line.trial)})",
            line.id == chosen,
        )
        for line in lines
    )
