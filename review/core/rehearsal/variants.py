"""Variants of a call: small stated changes that live with it and say what a catalog must find then.

A variant works on the raw ``oip-call/1`` object, before it is read, in this order: ``edit`` (change
fields of a turn by number), ``extra`` (append turns), ``drop_events`` (``name`` or ``name:value``
of an argument), ``order`` (keep these turns in this order; renumber from turn_base, move the events
with their turns, drop the others), ``call`` (change attributes), ``ended``. Times of a reordered
call keep each turn's duration, 0.6 s apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from decimal import Decimal
from typing import Any

# A raw call is what the JSON reader gives (JsonObject), so its values are of any JSON type.
JsonObject = dict[str, Any]

GAP = Decimal("0.6")
EXTRA_END = Decimal(3)
_TENTH = Decimal("0.1")


def variants_of(raw: Mapping[str, Any]) -> list[JsonObject]:
    """Return copies of the variants that a raw call states, in their order."""
    return [deepcopy(dict(variant)) for variant in raw.get("variants") or []]


def apply_variant(raw: Mapping[str, Any], variant: Mapping[str, Any]) -> JsonObject:
    """Return the raw call as the variant changes it; `raw` itself stays as it is.

    Raises KeyError if the variant names a turn in `order` that the call does not have.
    """
    call: JsonObject = deepcopy(dict(raw))
    _edit(call, variant.get("edit") or [])
    _append(call, variant.get("extra") or [])
    _drop_events(call, variant.get("drop_events") or [])
    if "order" in variant:
        _reorder(call, variant["order"])
    if variant.get("call"):
        call["call"] = {**call.get("call", {}), **deepcopy(dict(variant["call"]))}
    if "ended" in variant:
        call["ended"] = variant["ended"]
    return call


def _edit(call: JsonObject, edits: Sequence[Mapping[str, Any]]) -> None:
    for edit in edits:
        for turn in call["turns"]:
            if turn["n"] == edit["n"]:
                turn.update(deepcopy(dict(edit)))


def _append(call: JsonObject, extra: Sequence[Sequence[str]]) -> None:
    for speaker, text in extra:
        last = call["turns"][-1]
        turn = {"n": last["n"] + 1, "speaker": speaker, "kind": "speech", "text": text}
        if last.get("t1") is not None:
            turn |= {"t0": _exact(last["t1"]) + GAP, "t1": _exact(last["t1"]) + EXTRA_END}
        call["turns"].append(turn)


def _drop_events(call: JsonObject, patterns: Sequence[str]) -> None:
    for pattern in patterns:
        name, _, value = pattern.partition(":")
        call["events"] = [
            event for event in call.get("events", []) if not _is_meant(event, name, value)
        ]


def _is_meant(event: Mapping[str, Any], name: str, value: str) -> bool:
    values = [str(argument) for argument in (event.get("args") or {}).values()]
    return bool(event["name"] == name) and (not value or value in values)


def _reorder(call: JsonObject, order: Sequence[int]) -> None:
    old = {turn["n"]: turn for turn in call["turns"]}
    base = call.get("turn_base", 1)
    numbers = {number: base + k for k, number in enumerate(order)}
    turns: list[JsonObject] = []
    end = Decimal(0)
    for number in order:
        turn = {**old[number], "n": numbers[number]}
        if turn.get("t0") is not None and turn.get("t1") is not None:
            start = (end + GAP).quantize(_TENTH)
            end = (start + _exact(turn["t1"]) - _exact(turn["t0"])).quantize(_TENTH)
            turn |= {"t0": start, "t1": end}
        turns.append(turn)
    call["turns"] = turns
    call["events"] = [
        _moved(event, numbers) for event in call.get("events", []) if event.get("turn") in numbers
    ]


def _moved(event: Mapping[str, Any], numbers: Mapping[int, int]) -> JsonObject:
    moved = {**event, "turn": numbers[event["turn"]]}
    if event.get("result_turn") is not None:
        moved["result_turn"] = numbers.get(event["result_turn"])
    return moved


def _exact(seconds: float | Decimal) -> Decimal:
    """Return seconds as the decimal their digits say (a float is read by its shortest digits)."""
    return Decimal(str(seconds))
