"""Events that are told of a call after it was read: they stand in its turns, which stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from catalogs.core.findings import Finding
from review.core.transcript import (
    Call,
    CallFindings,
    Event,
    EventSource,
    TurnKind,
    refuse_unstorable,
)
from review.core.transcript.fields import list_field, report_unknown
from review.core.transcript.neutral.events import read_events

MAX_EVENTS = 20_000


def attach(call: Call, part: Mapping[str, object]) -> tuple[Call, tuple[Finding, ...]]:
    """Return the call with the events of a part as well, and what is to say of them.

    An event without an id, or with one that the call has, gets an id of its own. Raises
    RefusedInput for a part that cannot be read, and for more events than are read.
    """
    found = CallFindings(call.id)
    refuse_unstorable(part, where=call.id)
    report_unknown(part, frozenset(["events"]), "", found)
    told = len(list_field(part, "events", found))
    if len(call.events) + told > MAX_EVENTS:
        found.refuse("too_many_events", "events", f"At most {MAX_EVENTS:,} events are read.")
    added = read_events(part, call.turns, [], [], found)
    kept = _without_made(call, added)
    taken = {event.id for event in kept}
    events = (*kept, *(_with_own_id(event, taken) for event in added))
    flags = tuple(dict.fromkeys((*call.flags, *found.codes)))
    return replace(call, events=events, flags=flags), tuple(found.findings)


def _without_made(call: Call, added: Sequence[Event]) -> tuple[Event, ...]:
    """Return the call's events but those that were made of tool turns of which events are told now:
    a file that lists them makes none either, and one tool call is not two.
    """
    told = {event.turn for event in added if event.source is EventSource.TOOL}
    of_tools = {turn.number for turn in call.turns if turn.kind is TurnKind.TOOL_CALL}
    made = {f"turn-{number}" for number in told & of_tools}
    return tuple([event for event in call.events if event.id.rstrip("+") not in made])


def _with_own_id(event: Event, taken: set[str]) -> Event:
    name = event.id
    while name in taken:
        name += "+"
    taken.add(name)
    return replace(event, id=name)
