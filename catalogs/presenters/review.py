"""The review page of a version: what stands between it and publication, and what was said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from catalogs.models import RemarkKind
from catalogs.presenters.marks import Mark
from catalogs.queries import RemarkLine

_TONES = {RemarkKind.CHANGES: "fail", RemarkKind.APPROVAL: "pass"}
_ADVICE = {
    "Lint": "Send it back with what is to be mended; the author hands the mended text in again.",
    "Version number": "The author raises the number, or says which phase replaces the one gone.",
    "Days in force": "The author changes the first day under effective, or that of the other ends; "
    "or it is tried first, beside the other.",
    "Rehearsal": "The author adds the tests and sentences that are missing, under Rehearsal.",
    "Calibration": "Calibrate it with two or more raters, or record below why it goes without.",
    "Adds and tightens only": "The author mends the overlay, or has E610 waived in it.",
    "Base": "Take it back and hand it in again, and look at what changed in the base.",
    "Sites": "The author corrects sites or days, or the other overlay is retired first.",
    "Second person": "Somebody else who may approve has to open this page.",
}


@dataclass(frozen=True, slots=True)
class ShownGate:
    """One gate: open, or shut with why and what to do."""

    name: str
    mark: Mark
    sentence: str
    advice: str


@dataclass(frozen=True, slots=True)
class ShownRemark:
    """One remark; `is_old` where the text has changed since."""

    what: str
    tone: str
    phase: str
    words: str
    by: str
    at: datetime
    is_old: bool


def show_gates(gates: Sequence[tuple[str, str]]) -> tuple[ShownGate, ...]:
    """Draw gates, each a name and why it is shut (empty for open)."""
    return tuple(
        ShownGate(
            name,
            Mark("✕", "not yet", "fail") if sentence else Mark("✓", "done", "pass"),
            sentence,
            _ADVICE.get(name, "") if sentence else "",
        )
        for name, sentence in gates
    )


def show_remarks(lines: Sequence[RemarkLine], digest: str) -> tuple[ShownRemark, ...]:
    """Draw remarks beside the text with this digest."""
    return tuple(
        ShownRemark(
            what=str(RemarkKind(line.kind).label),
            tone=_TONES.get(RemarkKind(line.kind), "unknown"),
            phase=line.phase,
            words=line.words,
            by=line.by,
            at=line.at,
            is_old=line.digest != digest,
        )
        for line in lines
    )
