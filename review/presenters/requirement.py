"""Whether a phase is owed in this call, and why, in a few words."""

from __future__ import annotations

from decimal import Decimal

from catalogs.core.document import Phase, RequiredKind
from catalogs.core.requirements import PhaseState, Reading, Scalar, describe, free_facts
from review.core.evaluation import Report, RowReport
from review.core.transcript import Call


def requirement_words(row: RowReport, phase: Phase, report: Report, call: Call) -> str:
    """Say why a row is owed or not, as it fits on the row's line: ``not required: x = true``."""
    if row.required is None:
        names = free_facts(phase.required.when) if phase.required.when else ()
        return f"required? {', '.join(names)} is open" if names else "required? not known yet"
    if row.blocked_by:
        return f"blocked: {row.blocked_by} failed first"
    if row.code == "NO_ITEMS":
        return "not required: no item to do it for"
    read = ", ".join(_read(phase, report, call))
    if row.required is False:
        if phase.required.kind is RequiredKind.OPTIONAL:
            return "not required: optional"
        return f"not required: {read}" if read else "not required on this branch"
    if phase.required.kind is RequiredKind.ALWAYS:
        return "required always"
    return f"required: {read}" if read else "required on this branch"


def value_words(value: object) -> str:
    """Write a fact or an attribute as the catalog writes it; an open one is a question mark."""
    if value is None:
        return "?"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read(phase: Phase, report: Report, call: Call) -> list[str]:
    """Write what decided the phase's condition, where it is known."""
    when = phase.required.when
    if when is None:
        return []
    rows = {row.phase: row for row in report.rows}
    readings = describe(
        when,
        phase_state=lambda name, state: _state(rows[name], state),
        fact=report.facts.get,
        attribute=lambda name: _scalar(call.attributes.get(name)),
    )
    return [_reading_words(reading) for reading in readings if reading.value is not None]


def _reading_words(reading: Reading) -> str:
    phase, _, state = reading.text.partition(" ")
    if not state:
        return f"{reading.text} = {value_words(reading.value)}"
    return f"{phase} {state}" if reading.value else f"{phase} not {state}"


def _state(row: RowReport, state: PhaseState) -> bool | None:
    points = {PhaseState.STARTED: row.start, PhaseState.FINISHED: row.finish}
    if state in points:
        return None if points[state] is None else isinstance(points[state], int)
    if state is PhaseState.REQUIRED:
        return row.required
    if row.verdict == "unknown":
        return None
    return (row.verdict == "pass") is (state is PhaseState.PASSED)


def _scalar(value: object) -> Scalar:
    return value if isinstance(value, bool | int | str | Decimal) else None
