"""Whether a phase is owed in this call, and why, in a few words."""

from __future__ import annotations

from catalogs.core.document import Phase, RequiredKind
from catalogs.core.requirements import free_attributes, free_facts
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
    """Write the facts and attributes that the phase's condition reads, where they are known."""
    when = phase.required.when
    if when is None:
        return []
    facts = [(name, report.facts.get(name)) for name in free_facts(when)]
    attributes = [(f"call.{name}", call.attributes.get(name)) for name in free_attributes(when)]
    return [
        f"{name} = {value_words(value)}"
        for name, value in (*facts, *attributes)
        if value is not None and not isinstance(value, tuple)
    ]
