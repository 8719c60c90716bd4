"""Sequenced tool calls and their results: one event per call, tied to its result by the call's id.

A failed call is not evidence of the action, so `ok` is False where the result says error and None
where no result was seen. Ids may be used again later in a call: a result belongs to the latest open
call with its id.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from review.core.transcript.gathering import CallFindings
from review.core.transcript.model import Event, EventSource


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call as the source lists it; `call_id` is None where the source gives none."""

    turn: int
    name: str
    args: Mapping[str, object]
    call_id: str | None = None
    at_ms: int | None = None
    ok: bool | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A tool's answer as the source lists it, at its turn; `ok` only where the source says so
    itself.
    """

    turn: int
    result: object
    call_id: str | None = None
    ok: bool | None = None


def outcome(result: object, *, said: object = None) -> bool:
    """Return whether a result that came says the action happened.

    False for an explicit ``ok: false``, a text that starts with "Error", or an object with ``ok:
    false``, ``is_error: true`` or a non-empty ``error``; True otherwise.
    """
    if isinstance(said, bool):
        return said
    if isinstance(result, str):
        return not result.lstrip().lower().startswith("error")
    if isinstance(result, Mapping):
        if isinstance(result.get("ok"), bool):
            return bool(result["ok"])
        return not (result.get("is_error") is True or result.get("error"))
    return True


def pair_tool_events(
    calls: Sequence[ToolCall], results: Sequence[ToolResult], found: CallFindings
) -> tuple[Event, ...]:
    """Make one event per tool call, in order, with the result that belongs to it.

    Reports ``orphan_tool_result``, ``call_without_result``, ``result_before_call`` and
    ``duplicate_id``.
    """
    waiting: dict[str | None, list[int]] = {}
    for k in sorted(range(len(calls)), key=lambda k: calls[k].turn):
        waiting.setdefault(calls[k].call_id, []).append(k)
    answers: dict[int, ToolResult] = {}
    for result in sorted(results, key=lambda r: r.turn):
        place = _take_call(result, calls, waiting.get(result.call_id, []))
        if place is None:
            text = (
                f"The tool result at turn {result.turn} answers no tool call of this call. It "
                "supports nothing."
            )
            found.warn("orphan_tool_result", f"turn {result.turn}", text, turn=result.turn)
            continue
        answers[place] = result
        if result.turn < calls[place].turn:
            text = (
                f"The result at turn {result.turn} comes before its tool call at turn "
                f"{calls[place].turn}. Check it."
            )
            found.warn("result_before_call", f"turn {result.turn}", text, turn=result.turn)
    _observe_doubled_ids(calls, found)
    return tuple(_event(k, call, answers.get(k), found) for k, call in enumerate(calls))


def _take_call(result: ToolResult, calls: Sequence[ToolCall], waiting: list[int]) -> int | None:
    """Take the call a result answers off the open ones of its id (in turn order).

    Without an id it is the only open call in front of it, or the one on the turn right before.
    """
    before = bisect_left(waiting, result.turn, key=lambda k: calls[k].turn)
    if result.call_id is None:
        is_certain = before == 1 or (
            before > 1 and calls[waiting[before - 1]].turn == result.turn - 1
        )
        return waiting.pop(before - 1) if is_certain else None
    if before:
        return waiting.pop(before - 1)
    return waiting.pop(0) if waiting else None


def _event(k: int, call: ToolCall, answer: ToolResult | None, found: CallFindings) -> Event:
    event = Event(
        id=f"ev{k + 1:02d}",
        source=EventSource.TOOL,
        name=call.name,
        args=call.args,
        turn=call.turn,
        at_ms=call.at_ms,
        ok=call.ok,
        call_id=call.call_id,
    )
    if answer is None:
        if call.ok is None:
            text = (
                f"The tool call at turn {call.turn} has no result. Whether it happened is unknown."
            )
            found.warn("call_without_result", f"turn {call.turn}", text, turn=call.turn)
        return event
    ok = outcome(answer.result, said=answer.ok)
    return replace(event, result=answer.result, result_turn=answer.turn, ok=ok)


def _observe_doubled_ids(calls: Sequence[ToolCall], found: CallFindings) -> None:
    seen: set[str] = set()
    for call in calls:
        if call.call_id is None:
            continue
        if call.call_id in seen:
            text = (
                f"The id of the tool call at turn {call.turn} was used before; results go to the "
                "latest open call."
            )
            found.note("duplicate_id", f"turn {call.turn}", text, turn=call.turn)
        seen.add(call.call_id)
