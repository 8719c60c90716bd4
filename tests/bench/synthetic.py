"""Synthetic calls in the columns of the peer benchmark: chains of phases, some out of order."""

from __future__ import annotations

from random import Random
from typing import Any

_NEVER = 1 << 30

Columns = tuple[list[int], list[int], list[int], list[int]]


def peer_calls(count: int, *, phases: int, seed: int) -> tuple[dict[str, Any], list[Columns]]:
    """Make a plan and rows: 12 % start a phase too early, 8 % miss one."""
    draw = Random(seed)  # noqa: S311 - makes calls
    edges = [*((at, at + 1) for at in range(phases - 1)), (0, phases - 1)]
    plan = {"ids": [f"P{at:02d}" for at in range(phases)], "edges": edges}
    return plan, [_columns(draw, phases) for _ in range(count)]


def _columns(draw: Random, phases: int) -> Columns:
    turn = draw.randint(1, 5)
    starts, finishes = [], []
    for _ in range(phases):
        starts.append(turn)
        turn += draw.randint(1, 6)
        finishes.append(turn)
        turn += draw.randint(1, 4)
    if draw.random() < 0.12:
        early = draw.randrange(1, phases)
        starts[early] = finishes[early - 1] - 1
    if draw.random() < 0.08:
        finishes[draw.randrange(phases)] = _NEVER
    passed = [int(finish != _NEVER) for finish in finishes]
    return starts, finishes, passed, [1] * phases


TURNS = 100
# What a case says beside the call itself, and no export of calls does.
_ABOUT_THE_CASE = ("notice", "expected", "notes", "variants", "traps")


def cut(raw: dict[str, Any]) -> dict[str, Any]:
    """Return the first 100 turns of a case call, without what it says about itself."""
    turns = raw["turns"][:TURNS]
    assert len(turns) == TURNS
    numbers = {turn["n"] for turn in turns}
    events = [event for event in raw.get("events", []) if event.get("turn") in {*numbers, None}]
    own = {key: value for key, value in raw.items() if key not in _ABOUT_THE_CASE}
    return {**own, "turns": turns, "events": events}
