"""What both pages say of a version: its state, its days in force, its risk class."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from catalogs.core.document.trials import Trial
from catalogs.models import VersionState

#: The kind of source that binds by law.
_LAW = "regulation"


@dataclass(frozen=True, slots=True)
class RiskClass:
    """How grave a broken order is: by law, by other rules, or no order decides at all."""

    words: str
    meaning: str
    is_critical: bool


_BY_LAW = RiskClass(
    "critical by law",
    "A critical edge rests on a regulation: a call that breaks it breaks the law's order.",
    is_critical=True,
)
_BY_RULE = RiskClass(
    "critical by rule",
    "Critical edges rest on guidance, rules of a payer or site, or inference; none on a "
    "regulation.",
    is_critical=True,
)
_NONE = RiskClass(
    "no critical edge", "No order decides: OrderSafe cannot fail here.", is_critical=False
)


def risk_class(critical: int, grounds: Collection[str]) -> RiskClass:
    """Return the class of a document by its critical edges and the kinds of their sources."""
    if not critical:
        return _NONE
    return _BY_LAW if _LAW in grounds else _BY_RULE


def state_words(state: str, trial: Trial | None = None) -> str:
    """Say a state as people do: "in review"; of a version on trial, how it is tried."""
    return str(VersionState(state).label) if trial is None else trial.words


def state_tone(state: str, trial: Trial | None = None) -> str:
    """Return the colours of a state."""
    if trial is not None:
        return "unknown"
    return {"PUBLISHED": "pass", "RETIRED": "muted"}.get(state, "unknown")


def window_words(first: date, last: date | None) -> str:
    """Say from when to when a version is in force.

    >>> window_words(date(2026, 1, 1), None)
    'from 2026-01-01'
    """
    if last is None:
        return f"from {first.isoformat()}"
    return f"{first.isoformat()} to {last.isoformat()}"


def days_words(first: date, last: date | None, trial: Trial | None) -> str:
    """Say of which days a version judges calls, or is tried with them.

    >>> days_words(date(2026, 1, 1), None, None)
    'in force from 2026-01-01'
    """
    if trial is None:
        return f"in force {window_words(first, last)}"
    return f"tried {window_words(trial.first_day, last)}"


def plural(number: int, one: str, many: str = "") -> str:
    """Write a number with its noun.

    >>> plural(1, "edge"), plural(2, "edge")
    ('1 edge', '2 edges')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"
