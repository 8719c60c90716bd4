"""The phase rows: a line each for the table, and a card each with everything a person judges by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from catalogs.core.document import AcceptItem, Document, Phase
from review.core.cascade.triage import FlagCode
from review.core.evaluation import ItemReport, Report, RowReport
from review.core.transcript import Call
from review.presenters.candidates import ItemCandidates
from review.presenters.deciding import Decided as ByPeople
from review.presenters.flags import Flag, chips, show_flags
from review.presenters.marks import PROPOSED, Mark, holds_mark, verdict_mark
from review.presenters.places import ShownPoint, anchor_of, show_point
from review.presenters.quotes import Quote, Quotes
from review.presenters.requirement import requirement_words
from review.presenters.suggestions import ShownSuggestion

#: A row of the table stays low; its card has all of them.
_MOST_CHIPS = 2


@dataclass(frozen=True, slots=True)
class Item:
    """One acceptance item with the evidence that counts and the other candidates."""

    id: str
    text: str
    mark: Mark
    shown: Quote | None
    others: tuple[Quote, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Attempt:
    """A turn on which the phase was entered."""

    turn: int
    anchor: str


@dataclass(frozen=True, slots=True)
class Instance:
    """One item of a per-item phase."""

    key: str
    start: ShownPoint
    finish: ShownPoint
    mark: Mark


@dataclass(frozen=True, slots=True)
class Decided:
    """Who or what gave a value: "anchor" and the path in the catalog."""

    value: str
    how: str
    path: str


@dataclass(frozen=True, slots=True)
class Remark:
    """Something else that is known of a row."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Rubric:
    """What the catalog says about judging a phase."""

    intent: str
    passing: tuple[str, ...]
    failing: tuple[str, ...]
    counterexamples: tuple[str, ...]


def rubric_of(phase: Phase) -> Rubric:
    """Return what the catalog says about judging a phase."""
    said = phase.rubric
    return Rubric(phase.intent, said.passing, said.failing, phase.counterexamples)


@dataclass(frozen=True, slots=True)
class PhaseRow:
    """One phase. `anchor` is its card's id; `open` opens the card when the page comes."""

    phase: str
    name: str
    hue: int
    anchor: str
    standing: Mark
    is_required: bool | None
    requirement: str
    reason: str
    start: ShownPoint
    finish: ShownPoint
    verdict: Mark
    chips: tuple[Flag, ...]
    more_flags: int
    flags: tuple[Flag, ...]
    items: tuple[Item, ...]
    attempts: tuple[Attempt, ...]
    instances: tuple[Instance, ...] | None
    decided: tuple[Decided, ...]
    remarks: tuple[Remark, ...]
    rubric: Rubric
    critical: bool
    open: bool
    by_people: ByPeople | None = None
    suggested: ShownSuggestion | None = None
    candidates: tuple[ItemCandidates, ...] = ()

    @property
    def unseen(self) -> bool:
        """Whether a row at a critical edge was confirmed with its evidence never in view."""
        return self.critical and self.by_people is not None and self.by_people.unseen


@dataclass(frozen=True, slots=True)
class People:
    """What people have decided, by phase; their names by the source of their values; the row that
    the reader has selected; and what models suggest to them, by phase, as spans or by wording.
    """

    decided: Mapping[str, ByPeople]
    names: Mapping[str, str]
    selected: str | None = None
    suggested: Mapping[str, ShownSuggestion] = field(default_factory=dict)
    candidates: Mapping[str, tuple[ItemCandidates, ...]] = field(default_factory=dict)


#: The rows as the machine proposes them.
NOBODY = People({}, {})


def show_rows(
    call: Call,
    report: Report,
    document: Document,
    hues: dict[str, int],
    people: People = NOBODY,
) -> tuple[PhaseRow, ...]:
    """Draw the rows of a report in catalog order; the one that is asked for is open, or the first
    flagged one.
    """
    quotes = Quotes(call)
    first = next((row.phase for row in report.rows if row.flags), None)
    if any(row.phase == people.selected for row in report.rows):
        first = people.selected
    rows = (
        _row(row, document.phase(row.phase), report, call, quotes, hue=hues[row.phase], first=first)
        for row in report.rows
    )
    return tuple(_by_people(row, people) for row in rows)


def _by_people(row: PhaseRow, people: People) -> PhaseRow:
    """Say of a row what people have decided on it, by their names."""
    decided = people.decided.get(row.phase)
    if decided is None:
        return row
    named = tuple(
        replace(one, how=people.names.get(f"{one.how}:{one.path}", one.how), path="")
        if one.how == "person"
        else one
        for one in row.decided
    )
    suggested = people.suggested.get(row.phase)
    return replace(
        row,
        standing=decided.mark,
        by_people=decided,
        decided=named,
        suggested=suggested,
        candidates=people.candidates.get(row.phase, ()),
    )


def _row(  # noqa: PLR0913 - one call, from the function above
    row: RowReport,
    phase: Phase,
    report: Report,
    call: Call,
    quotes: Quotes,
    *,
    hue: int,
    first: str | None,
) -> PhaseRow:
    flags = show_flags(row.flags, quotes.turns)
    shown = chips(flags)
    return PhaseRow(
        phase=row.phase,
        name=row.name,
        hue=hue,
        anchor=f"row-{row.phase}",
        standing=PROPOSED,
        is_required=row.required,
        requirement=requirement_words(row, phase, report, call),
        reason=row.reason,
        start=show_point(row.start),
        finish=show_point(row.finish),
        verdict=verdict_mark(row.verdict, required=row.required),
        chips=shown[:_MOST_CHIPS],
        more_flags=len(shown[_MOST_CHIPS:]),
        flags=flags,
        items=_items(row, phase, quotes),
        attempts=_attempts(row),
        instances=_instances(row, phase),
        decided=_decided(row),
        remarks=_remarks(row),
        rubric=rubric_of(phase),
        critical=any(flag.code == FlagCode.SAFETY_CRITICAL.value for flag in row.flags),
        open=row.phase == first,
    )


def _items(row: RowReport, phase: Phase, quotes: Quotes) -> tuple[Item, ...]:
    """Items in catalog order; a report without them (a per-item phase) still lists what counts."""
    found = {item.id: item for item in row.items}
    return tuple(_item(spec, found.get(spec.id), row, quotes) for spec in phase.accept)


def _item(spec: AcceptItem, item: ItemReport | None, row: RowReport, quotes: Quotes) -> Item:
    if item is None:
        return Item(spec.id, spec.text, holds_mark(None, _ITEM_WORDS), None, (), ())
    shown = next((piece for piece in row.evidence if piece.item == item.id), None)
    others = tuple(piece for piece in item.candidates if piece != shown)
    notes = (
        ("acknowledged by the agent", item.acknowledged),
        ("volunteered before the phase was entered", item.volunteered),
    )
    return Item(
        id=item.id,
        text=spec.text,
        mark=holds_mark(item.met, _ITEM_WORDS),
        shown=quotes.quote(shown) if shown else None,
        others=tuple(
            # Under its own item the path's beginning says nothing.
            replace(quote, source=quote.source.removeprefix(f"{row.phase}.accept.{item.id}."))
            for quote in quotes.quotes(others)
        ),
        notes=tuple(text for text, holds in notes if holds),
    )


_ITEM_WORDS = ("shown", "not shown", "cannot be told")


def _attempts(row: RowReport) -> tuple[Attempt, ...]:
    turns = dict.fromkeys(attempt.turn for attempt in row.attempts)
    return tuple(Attempt(turn, anchor_of(turn)) for turn in turns)


def _instances(row: RowReport, phase: Phase) -> tuple[Instance, ...] | None:
    if phase.for_each is None:
        return None
    return tuple(
        Instance(
            key=instance.key,
            start=show_point(instance.start),
            finish=show_point(instance.finish),
            mark=verdict_mark(instance.verdict),
        )
        for instance in row.instances
    )


def _decided(row: RowReport) -> tuple[Decided, ...]:
    values = (
        ("start", row.decided_by.start),
        ("finish", row.decided_by.finish),
        ("verdict", row.decided_by.verdict),
    )
    return tuple(
        Decided(name, *_how(value)) if value else Decided(name, "nobody yet", "")
        for name, value in values
    )


def _how(value: str) -> tuple[str, str]:
    how, _, path = value.partition(":")
    return how, path


def _remarks(row: RowReport) -> tuple[Remark, ...]:
    volunteered = (
        "said before the phase was entered, as the catalog accepts" if row.volunteered else ""
    )
    inferred = "no anchor gave it; the first evidence counts" if row.inferred else ""
    pairs = (
        ("mode", row.mode),
        ("volunteered", volunteered),
        ("start inferred", inferred),
        ("graded", row.graded),
    )
    return tuple(Remark(name, text) for name, text in pairs if text)
