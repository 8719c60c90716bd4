"""A call that is still running, read part by part: what is read of one part is never read again.

Whole, the parts read as the file of the call would: the same turns, events and findings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from catalogs.core.findings import Finding
from review.core.transcript import (
    MAX_TURNS,
    Call,
    CallFindings,
    Event,
    ToolCall,
    ToolResult,
    Turn,
    TurnKind,
    call_digest,
    observe_times,
    refuse_unstorable,
)
from review.core.transcript.fields import (
    list_field,
    optional_text,
    report_unknown,
    required_text,
)
from review.core.transcript.neutral.about import (
    NAME,
    read_attributes,
    read_language,
    read_source,
    read_speakers,
)
from review.core.transcript.neutral.events import read_events
from review.core.transcript.neutral.sequence import read_turns

#: What is said of a call before anybody speaks.
HEAD_KEYS = frozenset(
    [
        *("format", "id", "title", "call", "speakers", "participants", "started_at", "language"),
        *("source", "turns", "events", "ended"),
    ]
)
PART_KEYS = frozenset(["after", "turns", "events"])
MAX_EVENTS = 20_000


class _Tools(NamedTuple):
    """What was listed of events, and the tool calls and results that stood among the turns."""

    listed: list[object]
    calls: list[ToolCall]
    results: list[ToolResult]


class GrowingCall:
    """A call as far as it has been read. `turns` carry what was found while reading them."""

    def __init__(self, head: Mapping[str, object], *, where: str) -> None:
        """Read what is said of the call as a whole. Raises RefusedInput."""
        found = CallFindings(where)
        refuse_unstorable(head, where=where)
        identity = required_text(head, "id", "", found)
        if head.get("format", NAME) != NAME:
            found.refuse("unknown_format", "format", f"The format must be {NAME}.")
        report_unknown(head, HEAD_KEYS, "", found)
        self.about = Call(
            id=identity,
            title=optional_text(head, "title", "", found) or identity,
            attributes=read_attributes(head, found),
            speakers=read_speakers(head, found),
            turns=(),
            events=(),
            ended=False,
            source=read_source(head, identity, call_digest(head), found),
            started_at=optional_text(head, "started_at", "", found),
            language=read_language(head, found),
        )
        self.findings = found.findings
        self.turns: list[Turn] = []
        self.events: tuple[Event, ...] = ()
        self.flags: Mapping[int, tuple[str, ...]] = {}
        self._codes = dict.fromkeys(found.codes)
        self._event_codes: tuple[str, ...] = ()
        self._tools = _Tools([], [], [])
        self._latest: Turn | None = None

    @property
    def last_turn(self) -> int | None:
        """The number of the last turn so far."""
        return self.turns[-1].number if self.turns else None

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of everything found so far."""
        return tuple(dict.fromkeys((*self._codes, *self._event_codes)))

    def add(self, part: Mapping[str, object]) -> tuple[Sequence[Turn], tuple[Finding, ...]]:
        """Read more turns and events; return the turns and what is to say of the part.

        Raises RefusedInput; then nothing of the part was taken.
        """
        found, of_events = CallFindings(self.about.id), CallFindings(self.about.id)
        refuse_unstorable(part, where=self.about.id)
        report_unknown(part, PART_KEYS | HEAD_KEYS, "", found)
        turns, calls, results = self._read_turns(part, found)
        latest = self._observe(turns, found)
        listed = [*self._tools.listed, *list_field(part, "events", found)]
        if len(listed) > MAX_EVENTS:
            found.refuse("too_many_events", "events", f"At most {MAX_EVENTS:,} events are read.")
        tools = _Tools(listed, [*self._tools.calls, *calls], [*self._tools.results, *results])
        flagged = [replace(turn, flags=found.flags_of(turn.number)) for turn in turns]
        everything = (*self.turns, *flagged)
        self.events = read_events(
            {"events": listed}, everything, tools.calls, tools.results, of_events
        )
        self.turns += flagged
        self.flags = {
            number: codes for number in _touched(tools) if (codes := of_events.flags_of(number))
        }
        self._codes |= dict.fromkeys(found.codes)
        self._event_codes = of_events.codes
        self._tools, self._latest = tools, latest
        return flagged, (*found.findings, *of_events.findings)

    def _read_turns(
        self, part: Mapping[str, object], found: CallFindings
    ) -> tuple[tuple[Turn, ...], list[ToolCall], list[ToolResult]]:
        listed = list_field(part, "turns", found)
        if not listed:
            return (), [], []
        if len(self.turns) + len(listed) > MAX_TURNS:
            found.refuse("too_many_turns", "turns", f"At most {MAX_TURNS:,} turns are read.")
        turns, calls, results = read_turns(part, self.about.speakers, found)
        last = self.last_turn
        if last is not None and turns[0].number <= last:
            found.refuse(
                "turn_not_next",
                f"turn {turns[0].number}",
                f"Turn {turns[0].number} does not come after turn {last}, the last one of this "
                "call. What is there stays; send what comes after it.",
            )
        return turns, calls, results

    def _observe(self, turns: Sequence[Turn], found: CallFindings) -> Turn | None:
        """Compare times with all that came before; return the latest times as one turn."""
        before = [] if self._latest is None else [self._latest]
        observe_times([*before, *turns], found)
        timed = [one for one in (*before, *turns) if one.start_ms is not None]
        if not timed:
            return None
        ends = [one.end_ms for one in timed if one.end_ms is not None]
        starts = [one.start_ms for one in timed if one.start_ms is not None]
        return Turn(-1, "", None, TurnKind.OTHER, "", max(starts), max(ends, default=None))


def _touched(tools: _Tools) -> set[int]:
    """Return the turns that a finding about events may be about."""
    listed = {one.get("turn") for one in tools.listed if isinstance(one, Mapping)}
    numbers = {one for one in listed if isinstance(one, int)}
    placed = {call.turn for call in tools.calls} | {result.turn for result in tools.results}
    return numbers | placed


def whole_call(
    head: Mapping[str, object], parts: Sequence[Mapping[str, object]], *, ended: bool | None
) -> dict[str, object]:
    """Return the call as its file would have it, of its head and all parts in their order."""
    told = {key: value for key, value in head.items() if key not in ("turns", "events", "ended")}
    whole: dict[str, object] = {**told, "format": NAME, "ended": ended}
    for key in ("turns", "events"):
        gathered: list[object] = []
        for part in (head, *parts):
            items = part.get(key)
            gathered += items if isinstance(items, list) else []
        whole[key] = gathered
    return whole
