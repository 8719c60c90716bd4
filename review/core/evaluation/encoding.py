"""The report as plain JSON values and back; both ways lose nothing, so a stored report reads as it
was made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from review.core.evaluation.report import (
    AttemptReport,
    CatalogName,
    DecidedBy,
    EdgeReport,
    EvidenceReport,
    FindingReport,
    FlagReport,
    InstanceReport,
    ItemReport,
    Report,
    RowReport,
)
from review.core.evidence.spans import whole_words
from review.core.transcript import Call

Plain = dict[str, Any]

#: Cuts the quote of a piece of evidence: turn, start, end, event id -> words or the event's name.
Quote = Callable[[int, int, int, str | None], str]


def report_to_json(report: Report, *, quote: Quote | None = None) -> Plain:
    """Write a report as plain values (docs/evaluate-call.md). With `quote`, each evidence also
    shows its words.
    """
    plain: Plain = _plain(report)
    for row in plain["rows"]:
        row["items"] = {item.pop("id"): item for item in row["items"]}
        pieces = [
            *row["evidence"],
            *(piece for item in row["items"].values() for piece in item["candidates"]),
        ]
        if quote is not None:
            for piece in pieces:
                piece["quote"] = quote(piece["turn"], piece["start"], piece["end"], piece["event"])
    return plain


def report_from_json(plain: Mapping[str, Any]) -> Report:
    """Read a stored report back; raises KeyError or TypeError for one of another shape."""
    return Report(
        **{
            **plain,
            "catalog": CatalogName(**plain["catalog"]),
            "rows": tuple(_row(row) for row in plain["rows"]),
            "edges": tuple(EdgeReport(**edge) for edge in plain["edges"]),
            "findings": tuple(FindingReport(**finding) for finding in plain["findings"]),
            "reasons": tuple(plain["reasons"]),
        }
    )


def quotes_of(call: Call, *, for_people: bool = False) -> Quote:
    """Make the function that cuts quotes out of a call that is at hand: exactly the span, or for
    people the whole words it touches.
    """
    texts = {turn.number: turn.text for turn in call.turns}
    events = {event.id: event.name for event in call.events}

    def quote(turn: int, start: int, end: int, event: str | None) -> str:
        if event is not None:
            return events.get(event, event)
        first, last = whole_words(texts[turn], start, end) if for_people else (start, end)
        return texts[turn][first:last]

    return quote


def _row(plain: Mapping[str, Any]) -> RowReport:
    return RowReport(
        **{
            **plain,
            "items": tuple(_item(name, state) for name, state in plain["items"].items()),
            "evidence": tuple(EvidenceReport(**piece) for piece in plain["evidence"]),
            "attempts": tuple(AttemptReport(**piece) for piece in plain["attempts"]),
            "flags": tuple(FlagReport(**flag) for flag in plain["flags"]),
            "instances": tuple(InstanceReport(**one) for one in plain["instances"]),
            "decided_by": DecidedBy(**plain["decided_by"]),
        }
    )


def _item(name: str, state: Mapping[str, Any]) -> ItemReport:
    candidates = tuple(EvidenceReport(**piece) for piece in state["candidates"])
    return ItemReport(**{**state, "id": name, "candidates": candidates})


_LEAVES = frozenset({str, int, bool, type(None)})


def _plain(value: Any) -> Any:
    """Write records as dicts of their fields, and tuples as lists, so that what is stored equals
    what is read back.
    """
    kind = type(value)
    if kind in _LEAVES:
        return value
    if kind is tuple or kind is list:
        return [_plain(inner) for inner in value]
    if kind is dict:
        return {key: _plain(inner) for key, inner in value.items()}
    plain: Plain = {}
    # Read where `fields` reads them, which would make a tuple of them for each of a thousand.
    for name in value.__dataclass_fields__:
        inner = getattr(value, name)
        plain[name] = inner if type(inner) in _LEAVES else _plain(inner)
    return plain
