"""Critical edges in the picture: from the parent's finish to the child's start, and what to say.

A violated edge has its two numbers beside it ("PID → CSV: 52 < 42 is false"). Each label takes the
widest free room beside the two bars it connects.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from review.core.evaluation import EdgeReport
from review.presenters.axis import Axis, percent

_TONES = {True: "pass", False: "fail", None: "unknown"}
#: Nothing was at stake on these, so nothing is drawn.
_UNDRAWN = frozenset({"WAIVED", "CHILD_NEVER_STARTED"})
_HEAD = 5


@dataclass(frozen=True, slots=True)
class LaneSpan:
    """What a lane occupies: its middle in pixels and its bar (with notes) in percent."""

    middle: int
    height: int
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class Line:
    """A straight part of an edge."""

    x1: str
    y1: int
    x2: str
    y2: int


@dataclass(frozen=True, slots=True)
class EdgePath:
    """One critical edge as drawn. `head` points down or up at the child; `label` may be empty."""

    parent: str
    child: str
    tone: str
    lines: tuple[Line, ...]
    head_x: str
    head_y: int
    head: str
    label: str
    label_x: str
    label_y: int
    label_side: str


def draw_edges(
    edges: Sequence[EdgeReport], spans: Mapping[str, LaneSpan], axis: Axis, lane_height: int
) -> tuple[EdgePath, ...]:
    """Draw the critical edges whose child started; violated ones last, on top of the others."""
    taken: set[tuple[int, str]] = set()
    drawn = [edge for edge in edges if edge.critical and _is_drawn(edge)]
    order = sorted(drawn, key=lambda edge: {True: 0, None: 1, False: 2}[edge.ok])
    return tuple(_path(edge, spans, axis, lane_height // 2, taken) for edge in order)


def edge_words(edge: EdgeReport) -> str:
    """Say how an edge came out, as short as beside the picture.

    A violated one shows the two numbers that decide, in the order the policy compares them.
    """
    name = f"{edge.parent} → {edge.child}"
    if edge.item:
        name = f"{name} ({edge.item})"
    finish, start = edge.parent_finish, edge.child_start
    if isinstance(finish, int) and isinstance(start, int):
        compared = f"{finish} {edge.policy} {start}"
        holds = finish <= start if edge.policy == "<=" else finish < start
        if edge.ok is False:
            return f"{name}: {edge.parent} revoked" if holds else f"{name}: {compared} is false"
        return f"{name}: {compared}" if edge.ok else f"{name}: order open"
    if edge.ok is False:
        word = "never finished" if finish == "never" else "had not finished"
        return f"{name}: {edge.parent} {word}"
    if edge.ok is None:
        return f"{name}: order open"
    return f"{name}: nothing at stake"


def _is_drawn(edge: EdgeReport) -> bool:
    return isinstance(edge.child_start, int) and edge.code not in _UNDRAWN


def _path(
    edge: EdgeReport,
    spans: Mapping[str, LaneSpan],
    axis: Axis,
    half: int,
    taken: set[tuple[int, str]],
) -> EdgePath:
    parent, child = spans[edge.parent], spans[edge.child]
    down = parent.middle < child.middle
    start = axis.left(edge.child_start) if isinstance(edge.child_start, int) else 0.0
    # A parent without a finish has nothing to come from but its lane, above the child's start.
    finish = axis.right(edge.parent_finish) if isinstance(edge.parent_finish, int) else start
    tip = child.middle + (-1 if down else 1) * (child.height // 2)
    middle = parent.middle + (half if down else -half)
    label = "" if edge.ok else edge_words(edge)
    x, y, side = _room(parent, child, taken) if label else (0.0, 0, "right")
    return EdgePath(
        parent=edge.parent,
        child=edge.child,
        tone=_TONES[edge.ok],
        lines=(
            Line(percent(finish), parent.middle, percent(finish), middle),
            Line(percent(finish), middle, percent(start), middle),
            Line(percent(start), middle, percent(start), tip),
        ),
        head_x=percent(start),
        head_y=tip,
        head=f"M0 0L-4 {-_HEAD}H4Z" if down else f"M0 0L-4 {_HEAD}H4Z",
        label=label,
        label_x=percent(x),
        label_y=y,
        label_side=side,
    )


def _room(parent: LaneSpan, child: LaneSpan, taken: set[tuple[int, str]]) -> tuple[float, int, str]:
    """Choose the widest free room beside the two bars; if all is taken, a label stands on one."""
    rooms = [
        (room, lane, side)
        for lane in (parent, child)
        for room, side in ((100 - lane.right, "right"), (lane.left, "left"))
        if (lane.middle, side) not in taken
    ]
    if not rooms:
        return 0.0, child.middle + 4, "right"
    _, lane, side = max(rooms, key=lambda room: room[0])
    taken.add((lane.middle, side))
    return (lane.right if side == "right" else lane.left), lane.middle + 4, side
