"""From checked plain values to a frozen `Document`, with every default applied and every expression
parsed.
"""

from __future__ import annotations

from datetime import date

from catalogs.core.canonical import content_digest
from catalogs.core.document.complaint import Complaint
from catalogs.core.document.matchers import build_matchers, build_text_matcher
from catalogs.core.document.model import Document, EventSource, EventSpec, Fact, OkPolicy
from catalogs.core.document.phases import build_phases
from catalogs.core.document.plain import (
    Context,
    Table,
    count_or_none,
    date_or_none,
    scalar_of,
    table_of,
    text_of,
    texts_of,
    truth_of,
)
from catalogs.core.requirements.expression import Scalar

_DEFAULT_TURN_BASE = 1


def build(data: Table, lines: dict[str, int]) -> tuple[Document, list[Complaint]]:
    """Build the document. The complaints are its unreadable expressions (E301); with any, the
    document is unusable.
    """
    context = Context(data, [])
    window = table_of(data, "effective")
    turn_base = count_or_none(data, "turn_base")
    document = Document(
        slug=text_of(data, "catalog"),
        version=str(data["version"]),
        title=text_of(data, "title"),
        status=text_of(data, "status"),
        effective_from=date_or_none(window, "from") or date.max,
        effective_to=date_or_none(window, "to"),
        applies_to=context.expression(data, "", "applies_to"),
        languages=texts_of(data, "languages"),
        clock_exact=text_of(data, "clock", "exact") == "exact",
        turn_base=_DEFAULT_TURN_BASE if turn_base is None else turn_base,
        inputs={
            name.removeprefix("call."): kind
            for name, kind in _texts_by_name(data, "inputs").items()
        },
        speakers=_texts_by_name(data, "speakers"),
        labels=_texts_by_name(data, "labels"),
        events={
            name: _event(name, table_of(table_of(data, "events"), name))
            for name in table_of(data, "events")
        },
        sources={
            name: _source(table_of(table_of(data, "sources"), name))
            for name in table_of(data, "sources")
        },
        facts={name: _fact(name, context) for name in table_of(data, "facts")},
        phases=build_phases(context),
        digest=content_digest(data),
        data=data,
        lines={**lines, **{context.words(path): line for path, line in lines.items()}},
    )
    return document, context.complaints


def _texts_by_name(data: Table, key: str) -> dict[str, str]:
    table = table_of(data, key)
    return {name: text_of(table, name) for name in table}


def _event(name: str, row: Table) -> EventSpec:
    source = EventSource(text_of(row, "source"))
    return EventSpec(
        name, source, texts_of(row, "fields"), self_reported=truth_of(row, "self_reported")
    )


def _source(row: Table) -> dict[str, Scalar]:
    return {key: scalar_of(value) for key, value in row.items()}


def _fact(name: str, context: Context) -> Fact:
    row = table_of(table_of(context.data, "facts"), name)
    path = f"facts.{name}"
    value = table_of(row, "value")
    return Fact(
        name=name,
        type=text_of(row, "type"),
        source=text_of(row, "from"),
        meaning=text_of(row, "meaning"),
        true_if=build_matchers(row, "true_if", path, context, OkPolicy.TRUE),
        value=build_text_matcher(value, f"{path}.value", context) if value else None,
        otherwise=scalar_of(row.get("otherwise")),
        review_unknown=text_of(row, "unknown", "review") == "review",
    )
