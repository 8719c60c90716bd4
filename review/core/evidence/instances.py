"""The instances of a per-item phase, and which hits belong to which (design 1.3, 6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from catalogs.core.document import Document, ForEach, ListKey, OkPolicy, ToolKey
from review.core.evidence.scan import Hit, Scan
from review.core.transcript import Call, Event

#: Gives the hits of the matcher at a path, in the order of the call.
HitsOf = Callable[[str], list[Hit]]


class Instance(NamedTuple):
    """One item a phase is owed for. For tool calls: the positions (after, until] in which it is
    searched, and the call itself.
    """

    key: str
    after: int = -1
    until: int = -1
    event: Event | None = None


def instances_of(key: ForEach, scan: Scan) -> tuple[Instance, ...] | None:
    """Return the instances of a phase that is owed per item; None where the list it reads is not
    given.
    """
    if isinstance(key, ToolKey):
        return _tool_instances(key, scan)
    value = scan.call.attributes.get(key.attribute)
    return tuple([Instance(item.id) for item in value]) if isinstance(value, tuple) else None


def phases_without_list(document: Document, call: Call) -> frozenset[str]:
    """Return the phases that are owed per element of a list that the call does not carry."""
    return frozenset(
        [
            phase.id
            for phase in document.phases
            if isinstance(phase.for_each, ListKey)
            and not isinstance(call.attributes.get(phase.for_each.attribute), tuple)
        ]
    )


def hits_for(instance: Instance, key: ForEach, scan: Scan) -> HitsOf:
    """Return what gives the hits that count for an instance; one that names no item counts for all
    (before any was named).
    """
    if isinstance(key, ListKey):
        attribute, item = key.attribute, instance.key
        return lambda path: scan.by_item(path, attribute)[item]
    return lambda path: [hit for hit in scan.of(path) if _belongs(hit, instance, key)]


def _belongs(hit: Hit, instance: Instance, key: ToolKey) -> bool:
    if hit.event is not None and hit.event.name in key.tools:
        return hit.event is instance.event
    return instance.after < hit.opened_at and hit.position <= instance.until


def _tool_instances(key: ToolKey, scan: Scan) -> tuple[Instance, ...]:
    calls = [
        event for event in scan.call.events if event.name in key.tools and _taken(key.ok, event.ok)
    ]
    calls.sort(key=lambda event: scan.place_of(event).position)
    first = _first_of_each_id(scan.call.events)
    found: list[Instance] = []
    after = -1
    for event in calls:
        until = scan.place_of(event).position
        found.append(Instance(_call_key(event, first), after, until, event))
        after = until
    return tuple(found)


def _taken(policy: OkPolicy, ok: bool | None) -> bool:
    """Take a call of unknown outcome: it may have happened, so its duties are owed."""
    if policy is OkPolicy.ANY or ok is None:
        return True
    return ok is (policy is OkPolicy.TRUE)


def _first_of_each_id(events: tuple[Event, ...]) -> Mapping[str | None, Event]:
    return {event.call_id: event for event in reversed(events)}


def _call_key(event: Event, first: Mapping[str | None, Event]) -> str:
    """Return the id of a tool call. A source may give one id to several calls: the first one keeps
    it, and each later one goes by the id of its event.
    """
    return event.call_id if event.call_id and first[event.call_id] is event else event.id
