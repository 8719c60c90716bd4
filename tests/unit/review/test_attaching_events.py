"""Events that are told of a call after it was read, against the file that lists them at once."""

from __future__ import annotations

from typing import Any

from review.core.transcript.neutral.attaching import attach
from tests.factories import raw_micro, read


def with_a_tool_turn(*events: dict[str, Any]) -> dict[str, Any]:
    """Return a call that has a tool call among its turns, with these events listed."""
    raw = raw_micro(events=list(events))
    last = max(turn["n"] for turn in raw["turns"])
    raw["turns"].append({"n": last + 1, "kind": "tool_call", "name": "open_record", "args": {}})
    return raw


def test_an_event_of_a_tool_turn_takes_the_place_of_what_was_made_of_the_turn() -> None:
    turn = with_a_tool_turn()["turns"][-1]["n"]
    event = {"source": "tool", "name": "open_record", "turn": turn, "args": {"id": 7}, "ok": True}
    at_once = read(with_a_tool_turn(event))
    made = read(with_a_tool_turn())
    assert [one.id for one in made.events] == [f"turn-{turn}"]
    later, _ = attach(made, {"events": [event]})
    assert later.events == at_once.events
    # One more of the same turn stands beside it, as it does in a file.
    twice, _ = attach(later, {"events": [event]})
    assert [one.id for one in twice.events] == ["ev01", "ev01+"]
