"""Calibration rounds in words: where one stands, the rater's desk, differences, and figures."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from catalogs.core.document import Document, Phase
from review.core.agreement import (
    Figure,
    Interval,
    Measured,
    Undefined,
    decimal,
    measured_from_json,
)
from review.core.transcript import Call
from review.presenters.blind import BlindRow, next_open
from review.presenters.hues import hues_of
from review.presenters.marks import CONFIRMED, NEUTRAL, Mark
from review.presenters.rows import Rubric, rubric_of
from review.presenters.transcript import Transcript, show_transcript
from review.queries.calibration import RoundLine, StoredRound
from review.queries.ratings import DecidedLine, PlacedDifference

_STATES = {
    "RATING": ("being rated", "unknown"),
    "DIFFERING": ("differences to decide", "unknown"),
    "CLOSED": ("closed", "pass"),
    "CALLED_OFF": ("called off", "muted"),
}
_COEFFICIENTS = {
    "raw": "raw",
    "cohen": "Cohen κ",
    "fleiss": "Fleiss κ",
    "alpha": "Krippendorff α",  # noqa: RUF001 - its name
    "ac1": "Gwet AC1",
}
_OPEN = Mark(NEUTRAL, "not rated", "muted")
_RATED = Mark(CONFIRMED.sign, "rated", CONFIRMED.tone)


def state_words(state: str) -> tuple[str, str]:
    """Return a round's state in words, and its tone."""
    return _STATES[state]


@dataclass(frozen=True, slots=True)
class ShownRound:
    """One round in a list."""

    id: UUID
    name: str
    state: str
    tone: str
    below: str
    opened: datetime
    mine: bool
    summary: str


def show_round_line(line: RoundLine) -> ShownRound:
    """Draw one round of a list."""
    word, tone = _STATES[line.state]
    raters = len(line.raters)
    done = f"{line.done} of {raters} raters done" if line.state == "RATING" else f"{raters} raters"
    return ShownRound(
        id=line.id,
        name=f"{line.title}, round {line.number}",
        state=word,
        tone=tone,
        below=f"{line.calls} calls · {done}: {', '.join(line.raters)} · {line.site_name}",
        opened=line.opened_at,
        mine=line.mine,
        summary=line.summary,
    )


@dataclass(frozen=True, slots=True)
class RatingDesk:
    """The rater's desk: the words of one call and the rubric, nothing that was found on it."""

    title: str
    position: int
    turn_count: int
    rows: tuple[BlindRow, ...]
    rated: int
    chosen: str
    name: str
    rubric: Rubric
    items: tuple[tuple[str, str], ...]
    transcript: Transcript

    @property
    def is_complete(self) -> bool:
        """Whether every row of this call is rated."""
        return self.rated == len(self.rows)


def show_desk(
    call: Call, document: Document, position: int, rated: Collection[str], asked: str
) -> RatingDesk:
    """Draw the desk with the row `asked` for, else the first that is not rated."""
    phases = [phase.id for phase in document.phases]
    hues = hues_of(phases)
    chosen = asked if asked in phases else next_open(phases, rated, "")
    spec = document.phase(chosen)
    return RatingDesk(
        title=call.title or call.source.external_id,
        position=position,
        turn_count=len(call.turns),
        rows=tuple(
            _row(phase, hues[phase.id], is_rated=phase.id in rated, chosen=phase.id == chosen)
            for phase in document.phases
        ),
        rated=sum(phase in rated for phase in phases),
        chosen=chosen,
        name=spec.name,
        rubric=rubric_of(spec),
        items=tuple((one.id, one.text) for one in spec.accept),
        transcript=show_transcript(call, (), {}),
    )


def _row(spec: Phase, hue: int, *, is_rated: bool, chosen: bool) -> BlindRow:
    return BlindRow(spec.id, spec.name, hue, _RATED if is_rated else _OPEN, chosen)


@dataclass(frozen=True, slots=True)
class DifferenceLine:
    """One question on a row: what each rater said."""

    name: str
    said: tuple[str, ...]
    differs: bool


@dataclass(frozen=True, slots=True)
class ShownDifference:
    """One row of one call on which raters differ. `place` names it within the page."""

    place: str
    position: int
    call: str
    phase: str
    name: str
    hue: int
    named: str
    lines: tuple[DifferenceLine, ...]
    decision: DecidedLine | None


def show_differences(
    stored: StoredRound, document: Document | None, found: Sequence[PlacedDifference]
) -> tuple[ShownDifference, ...]:
    """Draw the differences of a round, by call and row."""
    hues = hues_of(stored.phases)
    calls = {call.position: call.name or f"Call {call.position}" for call in stored.calls}
    return tuple(_difference(one, document, hues, calls) for one in found)


def _difference(
    one: PlacedDifference,
    document: Document | None,
    hues: Mapping[str, int],
    calls: Mapping[int, str],
) -> ShownDifference:
    phase = one.difference.phase
    spec = None if document is None else document.phase(phase)
    texts = {} if spec is None else {item.id: item.text for item in spec.accept}
    return ShownDifference(
        place=f"{one.position}-{phase}",
        position=one.position,
        call=calls[one.position],
        phase=phase,
        name="" if spec is None else spec.name,
        hue=hues[phase],
        named=", ".join(
            texts.get(line.name, line.name) if line.is_item else line.name.lower()
            for line in one.difference.lines
            if line.differs
        ),
        lines=tuple(
            DifferenceLine(
                texts.get(line.name, line.name) if line.is_item else line.name,
                tuple(_said(word) for word in line.said),
                line.differs,
            )
            for line in one.difference.lines
        ),
        decision=one.decision,
    )


def _said(word: str | None) -> str:
    if word is None:
        return "not rated"
    return f"turn {word}" if word.isdigit() else {"unknown": "cannot be told"}.get(word, word)


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """One coefficient of one measure in words: its value, its interval, agreement by chance."""

    value: str
    interval: str
    chance: str


@dataclass(frozen=True, slots=True)
class ShownMeasure:
    """One measure of a closed round; `figures` are in the order of `ShownFigures.names`."""

    name: str
    n: int
    excluded: int
    figures: tuple[ShownFigure, ...]
    shares: str


@dataclass(frozen=True, slots=True)
class ShownFigures:
    """The figures of a closed round, what a small n bears, and how intervals were drawn."""

    names: tuple[str, ...]
    measures: tuple[ShownMeasure, ...]
    small_n: tuple[str, ...]
    not_blind: int
    drawn: str


def show_figures(plain: Mapping[str, Any]) -> ShownFigures:
    """Draw stored figures."""
    measured = [measured_from_json(one) for one in plain["measures"]]
    # As stored, the names have no order.
    used = [name for name in _COEFFICIENTS if any(name in one.figures for one in measured)]
    return ShownFigures(
        names=tuple(_COEFFICIENTS[name] for name in used),
        measures=tuple(_measure(one, used) for one in measured),
        small_n=tuple(dict.fromkeys(one.small_n for one in measured if one.small_n)),
        not_blind=plain["not_blind"],
        drawn=f"Intervals: 95 %, whole calls drawn {plain['draws']:,} times with the seed "
        f"{plain['seed']}.",
    )


def _measure(one: Measured, used: Sequence[str]) -> ShownMeasure:
    raw = one.figures["raw"]
    return ShownMeasure(
        name=one.name,
        n=raw.n,
        excluded=raw.excluded,
        figures=tuple(_figure(one.figures[name], one.intervals[name]) for name in used),
        shares=", ".join(
            f"{category} {decimal(share * 100, 0)} %"
            for category, share in list(one.shares.items())[:4]
        ),
    )


def _figure(figure: Figure, interval: Interval) -> ShownFigure:
    value = figure.value
    if isinstance(value, Undefined):
        return ShownFigure(value.value, "", "")
    low, high = interval.low, interval.high
    spread = "" if low is None or high is None else f"{decimal(low)} to {decimal(high)}"
    chance = "" if figure.chance is None else decimal(figure.chance)
    return ShownFigure(decimal(value), spread, chance)
