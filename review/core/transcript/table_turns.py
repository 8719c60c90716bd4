"""The rows of one call, one turn each: numbers, kinds, times, speakers, tool and screen events.

A row of what happened on a screen is a turn of kind `other` with an event, so that numbers stay the
file's own. Rows of kind ``tool_event`` do not say whether they are a call or its answer: the second
of a name answers the first, and that is reported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from review.core.transcript.cells import Cell, cell_text, read_times, whole_number
from review.core.transcript.columns import TimeUnit
from review.core.transcript.decoding import RefusedInput
from review.core.transcript.gathering import CallFindings
from review.core.transcript.model import Event, EventSource, Turn, TurnKind
from review.core.transcript.pairing import ToolCall, ToolResult, pair_tool_events
from review.core.transcript.records import parse_json, refuse_unstorable
from review.core.transcript.timing import milliseconds
from review.core.transcript.turns import stored_text

NumberedRow = tuple[int, Mapping[str, Cell]]

_UI = "ui"
_EITHER = "tool_event"
_KINDS: Mapping[str, str] = {
    **dict.fromkeys(("", "utterance", "speech", "said", "turn", "message"), "speech"),
    **dict.fromkeys(("tool call", "function call"), "tool_call"),
    **dict.fromkeys(("tool result", "function result", "tool output"), "tool_result"),
    **dict.fromkeys(("tool event", "tool"), _EITHER),
    **dict.fromkeys(("ui log", "ui", "ui event", "screen"), _UI),
    **{kind.value.replace("_", " "): kind.value for kind in TurnKind},
}


@dataclass(frozen=True, slots=True)
class TurnsRead:
    """The turns and events of one call, and when it started if the times say so."""

    turns: tuple[Turn, ...]
    events: tuple[Event, ...]
    started_at: str | None


@dataclass(slots=True)
class _Sequence:
    found: CallFindings
    turns: list[Turn] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    results: list[ToolResult] = field(default_factory=list)
    screen: list[Event] = field(default_factory=list)
    waiting: dict[str, list[str]] = field(default_factory=dict)


def read_turns(
    rows: Sequence[NumberedRow], unit: TimeUnit | None, found: CallFindings
) -> TurnsRead:
    """Read the rows of one call. Raises RefusedInput for a number used twice or a limit."""
    numbers = _numbers(rows, found)
    starts, ends, started_at = _times(rows, numbers, unit, found)
    sequence = _Sequence(found)
    order = sorted(range(len(rows)), key=lambda k: numbers[k])
    for k in order:
        _add(rows[k], numbers[k], (starts[k], ends[k]), sequence)
    paired = pair_tool_events(sequence.calls, sequence.results, found)
    # The ids that tied answers to calls are ours; the file has none.
    events = (*(replace(event, call_id=None) for event in paired), *sequence.screen)
    return TurnsRead(_with_roles(sequence.turns, found), events, started_at)


def _numbers(rows: Sequence[NumberedRow], found: CallFindings) -> list[int]:
    said = [whole_number(cells.get("turn")) for _, cells in rows]
    numbers = [number for number in said if number is not None]
    if len(numbers) < len(rows):
        if any(cell_text(cells.get("turn")).strip() for _, cells in rows):
            text = "Not every row has a whole turn number from 0. Turns were numbered from 1."
            found.warn("turn_numbers_not_used", "", text)
        return list(range(1, len(rows) + 1))
    highest, seen = -1, set[int]()
    for (row, _), number in zip(rows, numbers, strict=True):
        if number in seen:
            text = f"The turn number {number} is used twice. Number every turn once."
            found.refuse("duplicate_turn", f"row {row}", text)
        if number < highest:
            text = (
                f"Turn {number} stands below turn {highest}. Turns were put in the order of their "
                "numbers; check it."
            )
            found.warn("out_of_order", f"row {row}", text, turn=number)
        seen.add(number)
        highest = max(highest, number)
    return numbers


def _times(
    rows: Sequence[NumberedRow],
    numbers: Sequence[int],
    unit: TimeUnit | None,
    found: CallFindings,
) -> tuple[list[int | None], list[int | None], str | None]:
    cells = [row.get(key) for key in ("start", "end") for _, row in rows]
    times = read_times(cells, unit)
    if times.guessed:
        unit_name = {"ms": "milliseconds", "day": "fractions of a day", "s": "seconds"}
        text = (
            f"Nothing says the unit of the times; they were taken as {unit_name[times.guessed]}. "
            "Check them, or name the unit."
        )
        found.warn("time_unit_guessed", "", text)
    if times.is_naive:
        text = (
            "The times of day do not say their offset from UTC. The distances were taken; when "
            "the call started is left unknown."
        )
        found.warn("naive_timestamp", "", text)
    read: list[int | None] = []
    for k, seconds in enumerate(times.seconds):
        number = numbers[k % len(rows)]
        place = f"row {rows[k % len(rows)][0]}"
        if k in times.bad:
            shown = cell_text(cells[k])[:40]
            text = f"{shown!r} is no time; the time is left unknown. Correct it."
            found.warn("bad_time", place, text, turn=number)
        read.append(milliseconds(seconds, place=place, found=found, turn=number))
    return read[: len(rows)], read[len(rows) :], times.started_at


def _add(
    row: NumberedRow, number: int, times: tuple[int | None, int | None], sequence: _Sequence
) -> None:
    place, cells, found = f"row {row[0]}", row[1], sequence.found
    said = " ".join(cell_text(cells.get("kind")).replace("_", " ").casefold().split())
    kind = _KINDS.get(said)
    if kind is None:
        text = f"The kind {said[:40]!r} of row {row[0]} is not known; it counts as other."
        found.warn("unknown_kind", place, text, turn=number)
    if kind == _EITHER:
        kind = _call_or_result(cell_text(cells.get("tool")).strip(), place, number, sequence)
    turn_kind = TurnKind.OTHER if kind in (None, _UI) else TurnKind(kind)
    payload = cell_text(cells.get("payload"))
    text = cell_text(cells.get("text"))
    shown = payload if not text and turn_kind is not TurnKind.SPEECH else text
    start, end = times
    if start is not None and end is not None and end < start:
        sentence = f"Turn {number} ends before it starts; its end was dropped."
        found.warn("negative_duration", place, sentence, turn=number)
        end = None
    role = cell_text(cells.get("role")).strip() or None
    sequence.turns.append(
        Turn(
            number,
            cell_text(cells.get("speaker")).strip() or role or "",
            role,
            turn_kind,
            stored_text(shown, number=number, kind=turn_kind, found=found),
            start,
            end,
        )
    )
    _add_event(kind, number, start, cells, sequence)


def _call_or_result(tool: str, place: str, number: int, sequence: _Sequence) -> str:
    """Say what a row of a tool is: an answer if a call of that tool waits for one, else a call."""
    text = (
        f"The kind of turn {number} does not say whether it is a tool call or its result; the "
        "second of a name counts as the result. Write tool_call and tool_result."
    )
    sequence.found.note("tool_phase_assumed", place, text, turn=number)
    return "tool_result" if sequence.waiting.get(tool) else "tool_call"


def _add_event(
    kind: str | None, number: int, at_ms: int | None, cells: Mapping[str, Cell], sequence: _Sequence
) -> None:
    name = cell_text(cells.get("tool")).strip()
    value = _payload(cell_text(cells.get("payload")))
    args = value if isinstance(value, Mapping) else {} if value == "" else {"value": value}
    if kind == "tool_call":
        if not name:
            text = f"The tool call at turn {number} has no name; no catalog can recognise it."
            sequence.found.warn("call_without_name", f"turn {number}", text, turn=number)
        tie = f"{number} {name}"
        sequence.calls.append(ToolCall(number, name, args, tie, at_ms))
        sequence.waiting.setdefault(name, []).append(tie)
    elif kind == "tool_result":
        open_calls = sequence.waiting.get(name)
        tied = open_calls.pop() if open_calls else None
        sequence.results.append(ToolResult(number, value, tied))
    elif kind == _UI and name:
        event_id = f"ui{len(sequence.screen) + 1:02d}"
        sequence.screen.append(
            Event(event_id, EventSource.UI, name, args, turn=number, at_ms=at_ms)
        )
    elif kind == _UI:
        text = f"The screen event at turn {number} has no name; no catalog can recognise it."
        sequence.found.warn("call_without_name", f"turn {number}", text, turn=number)


def _payload(text: str) -> object:
    """Return the JSON value a cell holds, or its text."""
    if text.lstrip()[:1] not in ("{", "["):
        return text
    try:
        value, _ = parse_json(text, where="")
        refuse_unstorable(value, where="")
    except RefusedInput:
        return text
    return value


def _with_roles(turns: Sequence[Turn], found: CallFindings) -> tuple[Turn, ...]:
    """Return the turns; a speaker whom the file gives several roles is reported and has none."""
    roles: dict[str, set[str]] = {}
    for turn in turns:
        if turn.role:
            roles.setdefault(turn.speaker, set()).add(turn.role)
    for speaker, several in roles.items():
        if len(several) > 1:
            text = (
                f"The speaker {speaker!r} has several roles: {', '.join(sorted(several)[:5])}. "
                "Give every party a name of its own."
            )
            found.warn("role_collapsed", f"speaker {speaker}", text)
    return tuple(
        replace(turn, role=None) if len(roles.get(turn.speaker, ())) > 1 else turn for turn in turns
    )
