"""One tool call or screen event as a line of monospace under its turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from review.core.transcript import Event, EventSource
from review.presenters.segments import Letter

_SOURCES = {EventSource.TOOL: "tool", EventSource.UI: "screen"}
#: A tool may return a whole record; the line shows its beginning.
_LONGEST = 160


@dataclass(frozen=True, slots=True)
class EventLine:
    """An event: where it was written, its name, its arguments in words, and what it shows."""

    id: str
    source: str
    name: str
    arguments: str
    outcome: str
    failed: bool
    letters: tuple[Letter, ...]


def event_line(event: Event, phases: Sequence[str], hues: Mapping[str, int]) -> EventLine:
    """Write an event; `phases` are those that it is evidence or a start of."""
    return EventLine(
        id=event.id,
        source=_SOURCES[event.source],
        name=event.name,
        arguments=_shortened(" ".join(_pairs(event.args))),
        outcome=_outcome(event),
        failed=event.ok is False,
        letters=tuple(Letter(phase, hues.get(phase, 1)) for phase in phases),
    )


def _outcome(event: Event) -> str:
    if event.ok is None:
        return "no result seen"
    word = "failed" if event.ok is False else ""
    result = _plain(event.result) if event.result is not None else ""
    at = f"result at turn {event.result_turn}" if event.result_turn is not None else ""
    return _shortened(": ".join(part for part in (word or at, result) if part))


def _pairs(values: Mapping[str, object]) -> Iterator[str]:
    for name, value in values.items():
        yield f"{name}={_plain(value)}"


def _plain(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case None:
            return "null"
        case Mapping():
            return " ".join(f"{name}={_plain(inner)}" for name, inner in value.items())
        case list() | tuple():
            return ", ".join(_plain(inner) for inner in value)
        case _:
            return str(value)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
