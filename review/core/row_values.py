"""Rows as plain JSON values and back, without loss: a stored row can be folded and judged again.

What is stored holds spans, codes and turn numbers, never the words of a call.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from review.core.rows import (
    UNKNOWN,
    Absent,
    Attempt,
    Evidence,
    ItemState,
    Point,
    Row,
    SeenMode,
    Verdict,
    made,
)

Plain = dict[str, Any]

_PLAIN_FIELDS = (
    *("phase", "volunteered", "inferred", "revoked_at", "contradicted_at", "key"),
    *("start_ms", "finish_ms", "clear_through", "start_source", "finish_source"),
)
_CODE_LISTS = ("start_doubts", "finish_doubts", "unacknowledged")


def row_to_json(row: Row) -> Plain:
    """Write a row as plain values."""
    return {
        **{name: getattr(row, name) for name in _PLAIN_FIELDS},
        **{name: list(getattr(row, name)) for name in _CODE_LISTS},
        "start": point_to_json(row.start),
        "finish": point_to_json(row.finish),
        "verdict": row.verdict.value,
        "mode": row.mode.value if row.mode else None,
        "evidence": [_evidence(piece) for piece in row.evidence],
        "items": [_item(item) for item in row.items],
        "attempts": [[one.turn, one.source, one.start, one.end, one.event] for one in row.attempts],
        "instances": None if row.instances is None else [row_to_json(one) for one in row.instances],
    }


def row_from_json(plain: Mapping[str, Any]) -> Row:
    """Read a row back. Raises KeyError, TypeError or ValueError for what was not written so."""
    instances = plain["instances"]
    given: Plain = {name: plain[name] for name in _PLAIN_FIELDS}
    given |= {name: tuple(plain[name]) for name in _CODE_LISTS}
    return Row(
        **given,
        start=point_from_json(plain["start"]),
        finish=point_from_json(plain["finish"]),
        verdict=Verdict(plain["verdict"]),
        mode=None if plain["mode"] is None else SeenMode(plain["mode"]),
        evidence=tuple(Evidence(*piece) for piece in plain["evidence"]),
        items=tuple(_read_item(item) for item in plain["items"]),
        attempts=tuple(Attempt(*one) for one in plain["attempts"]),
        instances=None if instances is None else tuple(row_from_json(one) for one in instances),
    )


def deciding_row_from_json(plain: Mapping[str, Any]) -> Row:
    """Read back what decides of a row and nothing else: `decide` says the same of it.

    That there is evidence decides, not where: items, attempts, spans and sources are left out. It
    takes a quarter of the time, and a what-if reads a million of them. Raises as `row_from_json`.
    """
    instances = plain["instances"]
    return made(
        Row,
        (
            plain["phase"],
            _point(plain["start"]),
            _point(plain["finish"]),
            _VERDICTS[plain["verdict"]],
            _SHOWN if plain["evidence"] else (),
            plain["volunteered"],
            None,
            plain["inferred"],
            plain["revoked_at"],
            plain["contradicted_at"],
            plain["key"],
            None if instances is None else tuple(map(deciding_row_from_json, instances)),
            plain["start_ms"],
            plain["finish_ms"],
            plain["clear_through"],
            tuple(plain["start_doubts"]),
            tuple(plain["finish_doubts"]),
            *_REST,
        ),
    )


#: What `deciding_row_from_json` reads, in the order of the lists that `deciding_rows` writes.
_DECIDING = (
    *("phase", "start", "finish", "verdict", "evidence", "volunteered", "inferred", "revoked_at"),
    *("contradicted_at", "key", "instances", "start_ms", "finish_ms", "clear_through"),
    *("start_doubts", "finish_doubts"),
)


def deciding_rows(rows: Iterable[Row]) -> list[list[Any]]:
    """Write what decides of rows, each as a list: a third of what the names would take to read."""
    return [_deciding_list(row_to_json(row)) for row in rows]


def _deciding_list(plain: Plain) -> list[Any]:
    instances = plain["instances"]
    values = {
        **plain,
        "evidence": bool(plain["evidence"]),
        "instances": None if instances is None else list(map(_deciding_list, instances)),
    }
    return [values[name] for name in _DECIDING]


def rows_from_deciding(lists: Iterable[Sequence[Any]]) -> dict[str, Row]:
    """Read back by phase what `deciding_rows` wrote, as `deciding_row_from_json` reads rows."""
    return {one[0]: _row_from_list(one) for one in lists}


def _row_from_list(plain: Sequence[Any]) -> Row:
    phase, start, finish, verdict, evidence, *flat, start_doubts, finish_doubts = plain
    volunteered, inferred, revoked_at, contradicted_at, key, instances, *times = flat
    return made(
        Row,
        (
            phase,
            _point(start),
            _point(finish),
            _VERDICTS[verdict],
            _SHOWN if evidence else (),
            volunteered,
            None,
            inferred,
            revoked_at,
            contradicted_at,
            key,
            None if instances is None else tuple(map(_row_from_list, instances)),
            *times,
            tuple(start_doubts),
            tuple(finish_doubts),
            *_REST,
        ),
    )


def _point(plain: int | str) -> Point:
    return _POINTS[plain] if plain.__class__ is str else plain  # type: ignore[return-value]


_VERDICTS = {one.value: one for one in Verdict}
_POINTS = {one.value: one for one in Absent}
_SHOWN = (Evidence("stored", 0, 0, 0, "stored"),)
#: Items, attempts, what was not acknowledged, and both sources: a row without them.
_REST: tuple[Any, ...] = ((), (), (), None, None)


def point_to_json(point: Point) -> int | str:
    """Write a turn number, "never" or "unknown"."""
    return point.value if isinstance(point, Absent) else point


def point_from_json(plain: int | str | None) -> Point:
    """Read what `point_to_json` or a report wrote; a report has None for what is not known."""
    if plain is None:
        return UNKNOWN
    return Absent(plain) if isinstance(plain, str) else plain


def _evidence(piece: Evidence) -> list[object]:
    return [piece.item, piece.turn, piece.start, piece.end, piece.source, piece.event]


def _item(item: ItemState) -> Plain:
    return {
        "id": item.id,
        "met": item.met,
        "turn": item.turn,
        "candidates": [_evidence(piece) for piece in item.candidates],
        "acknowledged": item.acknowledged,
        "volunteered": item.volunteered,
    }


def _read_item(plain: Mapping[str, Any]) -> ItemState:
    candidates = tuple(Evidence(*piece) for piece in plain["candidates"])
    return ItemState(**{**plain, "candidates": candidates})
