"""The trials of a version in words and figures: its shadow, and its share of calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from catalogs.core.document.trials import Trial, TrialMode
from oipsce_site.ledger.core.canonical import Value
from review.core.figures import share_of
from review.core.whatif import Change
from review.presenters.figure_tables import FigureLine, say_share, share_line, write_span
from review.presenters.what_ifs import CHANGES, CountLine, ShownGroup, show_groups
from review.queries.report_cards import Group
from review.queries.shadows import CanaryCounts, ShadowCounts, TrialRow
from review.queries.what_ifs import LineRow

_ENDS = {
    "DECIDES": "It decides calls from {day} on: {by}",
    "RETIRED": "The version was retired: {by}",
    "CHANGED": "It is tried otherwise since: {by}",
}


@dataclass(frozen=True, slots=True)
class ShownTrial:
    """One trial: how and from which calls it was tried, by whom, and how it ended (or empty)."""

    words: str
    by: str
    begun_at: datetime
    end: str
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class ShownShadow:
    """What a shadow came to. `summary` says it in a sentence, `note` what is not in it."""

    summary: str
    note: str
    lines: tuple[CountLine, ...]
    groups: tuple[ShownGroup, ...]


@dataclass(frozen=True, slots=True)
class Canary:
    """What a page knows of a canary: its calls, and rows of signed calls by it and by the version
    before, whose number is `before`.
    """

    trial: TrialRow
    counts: CanaryCounts
    own: Sequence[Group]
    before: str
    others: Sequence[Group]


@dataclass(frozen=True, slots=True)
class ShownCanary:
    """What a canary came to: the share of calls that came, and how often people changed rows."""

    summary: str
    overrides: tuple[FigureLine, ...]


def show_trial(row: TrialRow) -> ShownTrial:
    """Draw one trial."""
    words = Trial(TrialMode(row.mode), row.share, row.first_day).words
    day = row.decides_from.isoformat() if row.decides_from else ""
    return ShownTrial(
        words=f"{words}, calls from {row.first_day.isoformat()} on",
        by=row.by,
        begun_at=row.begun_at,
        end=_ENDS[row.end].format(day=day, by=row.ended_by) if row.end else "",
        ended_at=row.ended_at,
    )


def show_shadow(counts: ShadowCounts, lines: Sequence[LineRow], *, reads: bool) -> ShownShadow:
    """Draw what a shadow came to; `reads` says whether the person reads calls anywhere."""
    numbers = {one: counts.changes.get(one.name, (0, 0)) for one in Change}
    rows = [CountLine(words, tone, *numbers[one]) for one, (words, tone) in CHANGES.items()]
    return ShownShadow(
        summary=_summary(counts),
        note=_note(counts, reads=reads),
        lines=(*rows, CountLine("needs annotation first", "unknown", *counts.annotate)),
        groups=show_groups(lines, {one: calls for one, (calls, _) in numbers.items()}),
    )


def show_canary(canary: Canary, version: str) -> ShownCanary:
    """Draw what a canary came to; `version` is its number."""
    counts, share = canary.counts, canary.trial.share
    came = share_of(counts.judged, counts.calls)
    if came.value is None:
        summary = "No call of its catalog and days has come in since it began."
    else:
        summary = (
            f"{counts.judged:,} of {counts.calls:,} calls that came in since were judged by it. "
            f"That is {say_share(came.value)} (95 percent interval "
            f"{write_span(came.low, came.high, say_share, '')}); {share} % were asked for."
        )
    parts = ((version, canary.own), (canary.before, canary.others))
    return ShownCanary(summary, tuple(_overrides(name, rows) for name, rows in parts if name))


def figures_of(shadow: ShadowCounts, canary: CanaryCounts | None) -> Mapping[str, Value]:
    """Return what a trial came to as plain values, for the decision log."""
    changes = {name: list(pair) for name, pair in sorted(shadow.changes.items())}
    said: dict[str, Value] = {
        "shadow": {"changes": changes, "annotate": list(shadow.annotate), "failed": shadow.failed}
    }
    if canary is not None:
        said["canary"] = {"judged": canary.judged, "calls": canary.calls}
    return said


def _overrides(version: str, groups: Iterable[Group]) -> FigureLine:
    settled = [one for one in groups if one.settled]
    changed = sum(one.number for one in settled if not one.same)
    return share_line(version, share_of(changed, sum(one.number for one in settled)))


def _summary(counts: ShadowCounts) -> str:
    calls = counts.calls
    if not calls:
        return "No call has been read in its shadow yet."
    same = counts.changes.get(Change.SAME.name, (0, 0))[0]
    if same == calls:
        return f"The verdicts of all {calls:,} calls that it read stand."
    return f"{calls - same:,} of {calls:,} verdicts would be others."


def _note(counts: ShadowCounts, *, reads: bool) -> str:
    said = []
    if counts.waiting:
        said.append(f"{counts.waiting:,} more wait for a worker.")
    if counts.unread:
        said.append(f"{counts.unread:,} could not be compared: erased or moved on first.")
    if counts.failed:
        said.append(f"{counts.failed:,} were given up after several attempts; tell the operator.")
    if not reads:
        said.append("You read no calls, so their rows and names are left out.")
    return " ".join(said)
