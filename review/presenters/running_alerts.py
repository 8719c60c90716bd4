"""Violated edges of calls that are still running, as the queue shows them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from review.queries.alerts import RunningAlert


@dataclass(frozen=True, slots=True)
class RunningLine:
    """One violated edge: of which call, why, and when it was told."""

    external_id: str
    site: str
    why: str
    told: str


def show_running_alerts(alerts: Iterable[RunningAlert]) -> tuple[RunningLine, ...]:
    """Draw the alerts."""
    return tuple(
        RunningLine(one.external_id, one.site, _why(one), f"{one.raised_at:%H:%M} UTC")
        for one in alerts
    )


def _why(alert: RunningAlert) -> str:
    parent, child, start = alert.parent, alert.child, alert.child_start
    if alert.parent_finish is None:
        return f"{child} started at turn {start}, and {parent} had not finished."
    return f"{child} started at turn {start}, but {parent} finished at turn {alert.parent_finish}."
