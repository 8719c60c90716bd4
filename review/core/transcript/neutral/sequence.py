"""The turns of a call, and the tool calls and results that stand among them."""

from __future__ import annotations

from collections.abc import Mapping

from review.core.transcript import (
    CallFindings,
    Speaker,
    ToolCall,
    ToolResult,
    Turn,
    TurnKind,
    milliseconds,
    refuse_too_many_turns,
    stored_text,
)
from review.core.transcript.fields import (
    list_field,
    object_field,
    optional_flag,
    optional_text,
    report_unknown,
)

TURN_KEYS = frozenset(
    ["n", "speaker", "kind", "t0", "t1", "text", "name", "args", "call_id", "result", "ok"]
)


_TOOL_KINDS = (TurnKind.TOOL_CALL, TurnKind.TOOL_RESULT)
_KINDS = {kind.value: kind for kind in TurnKind}


def read_turns(
    raw: Mapping[str, object], speakers: Mapping[str, Speaker], found: CallFindings
) -> tuple[tuple[Turn, ...], list[ToolCall], list[ToolResult]]:
    listed = list_field(raw, "turns", found)
    refuse_too_many_turns(listed, found)
    if not listed:
        found.refuse("no_turns", "turns", "The call has no turns; there is nothing to review.")
    turns: list[Turn] = []
    calls: list[ToolCall] = []
    results: list[ToolResult] = []
    for k, item in enumerate(listed):
        if not isinstance(item, Mapping):
            found.refuse(
                "bad_value", f"turns[{k}]", "A turn must be an object with n, speaker and text."
            )
        report_unknown(item, TURN_KEYS, "turns", found)
        turn = _turn(item, _turn_number(item, f"turns[{k}]", found), speakers, found)
        turns.append(turn)
        if turn.kind is TurnKind.TOOL_CALL:
            calls.append(_tool_call(item, turn, found))
        elif turn.kind is TurnKind.TOOL_RESULT:
            results.append(_tool_result(item, turn, found))
    return _in_number_order(turns, found), calls, results


def _turn(
    item: Mapping[str, object], number: int, speakers: Mapping[str, Speaker], found: CallFindings
) -> Turn:
    place = f"turn {number}"
    kind = _kind(item.get("kind", "speech"), number, found)
    text = item.get("text", "" if kind in _TOOL_KINDS else None)
    if not isinstance(text, str):
        found.refuse(
            "bad_value",
            place,
            f"Turn {number} needs a text; write an empty one where nothing was said.",
        )
    key = optional_text(item, "speaker", place, found) or ""
    speaker = speakers.get(key)
    if speaker is None and kind not in _TOOL_KINDS:
        what = f"names the speaker {key!r}, who is not declared" if key else "has no speaker"
        found.warn("missing_speaker", place, f"Turn {number} {what}. Say who speaks.", turn=number)
    start = milliseconds(item.get("t0"), place=place, found=found, turn=number)
    end = milliseconds(item.get("t1"), place=place, found=found, turn=number)
    if start is not None and end is not None and end < start:
        found.warn(
            "negative_duration",
            place,
            f"Turn {number} ends before it starts; its end was dropped.",
            turn=number,
        )
        end = None
    role = speaker.role if speaker else None
    return Turn(
        number,
        key,
        role,
        kind,
        stored_text(text, number=number, kind=kind, found=found),
        start,
        end,
    )


def _turn_number(item: Mapping[str, object], place: str, found: CallFindings) -> int:
    number = item.get("n")
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 2**31:
        found.refuse("bad_value", place, "A turn needs its number n, a whole number from 0.")
    return number


def _in_number_order(turns: list[Turn], found: CallFindings) -> tuple[Turn, ...]:
    """Return turns with strictly increasing numbers: the numbers are the source's own word on the
    order.
    """
    seen: set[int] = set()
    highest = -1
    for turn in turns:
        place = f"turn {turn.number}"
        if turn.number in seen:
            found.refuse(
                "duplicate_turn",
                place,
                f"The turn number {turn.number} occurs twice. Number every turn once.",
            )
        seen.add(turn.number)
        if turn.number < highest:
            text = (
                f"Turn {turn.number} stands after turn {highest}. Turns were put in the order of "
                "their numbers; check it."
            )
            found.warn("out_of_order", place, text, turn=turn.number)
        highest = max(highest, turn.number)
    return tuple(sorted(turns, key=lambda turn: turn.number))


def _kind(value: object, number: int, found: CallFindings) -> TurnKind:
    kind = _KINDS.get(value) if isinstance(value, str) else None
    if kind is not None:
        return kind
    known = ", ".join(_KINDS)
    text = f"The kind of turn {number} is none of {known}; it counts as other and proves nothing."
    found.warn("unknown_kind", f"turn {number}", text, turn=number)
    return TurnKind.OTHER


def _tool_call(item: Mapping[str, object], turn: Turn, found: CallFindings) -> ToolCall:
    place = f"turn {turn.number}"
    return ToolCall(
        turn=turn.number,
        name=optional_text(item, "name", place, found) or "",
        args=object_field(item, "args", place, found),
        call_id=optional_text(item, "call_id", place, found),
        at_ms=turn.start_ms,
        ok=optional_flag(item, "ok", place, found),
    )


def _tool_result(item: Mapping[str, object], turn: Turn, found: CallFindings) -> ToolResult:
    place = f"turn {turn.number}"
    result = item.get("result", turn.text)
    call_id = optional_text(item, "call_id", place, found)
    return ToolResult(turn.number, result, call_id, optional_flag(item, "ok", place, found))
