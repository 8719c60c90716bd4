"""The picture: one lane per phase from s to e over turn numbers, with its critical edges.

Heights are pixels and x-coordinates are shares of the width (`axis`); both are plain attributes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from review.core.evaluation import Report, RowReport
from review.presenters.axis import Axis, Tick, percent
from review.presenters.edge_paths import EdgePath, LaneSpan, draw_edges, edge_words

_FEW = 8
_TALL, _LOW = 17, 15
TOP = 22
_BOTTOM = 6
BAR_HEIGHT = 8
#: Room that "never started" and "not known" take on an empty lane, in percent.
_NOTE_ROOM = 16.0
_LABEL_SIZES = ((4, "short"), (8, "medium"), (14, "long"))


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle; `look` is solid, dashed (not required), dotted (unknown) or hollow (never)."""

    x: str
    y: int
    width: str
    height: int
    look: str


@dataclass(frozen=True, slots=True)
class Lane:
    """One phase. `start` and `finish` are the numbers beside the bar; `note` replaces them."""

    phase: str
    name: str
    hue: int
    text_y: int
    line_y: int
    bar: Bar
    start: str
    start_x: str
    finish: str
    finish_x: str
    note: str
    note_x: str


@dataclass(frozen=True, slots=True)
class LanesPicture:
    """The whole picture and the same in words."""

    height: int
    floor: int
    labels: str
    ticks: tuple[Tick, ...]
    lanes: tuple[Lane, ...]
    edges: tuple[EdgePath, ...]
    title: str
    sentences: tuple[str, ...]
    has_dashed: bool
    has_hollow: bool
    has_dotted: bool


def draw_lanes(
    report: Report, turns: Sequence[int], hues: Mapping[str, int]
) -> LanesPicture | None:
    """Draw the rows and critical edges of a report; None where there is nothing to draw."""
    if not turns or not report.rows:
        return None
    axis = Axis(turns[0], turns[-1])
    height = _TALL if len(report.rows) <= _FEW else _LOW
    lanes = tuple(
        _lane(row, TOP + height * index + height // 2, axis, hues[row.phase])
        for index, row in enumerate(report.rows)
    )
    spans = {
        row.phase: _span(row, lane, axis) for row, lane in zip(report.rows, lanes, strict=True)
    }
    looks = {lane.bar.look for lane in lanes}
    floor = TOP + height * len(lanes)
    return LanesPicture(
        height=floor + _BOTTOM,
        floor=floor,
        labels=_label_size(report.rows),
        ticks=axis.ticks(),
        lanes=lanes,
        edges=draw_edges(report.edges, spans, axis, height),
        title=f"Phases from start to finish over turns {turns[0]} to {turns[-1]}",
        sentences=(
            *(_sentence(row) for row in report.rows),
            *(f"{edge_words(edge)}." for edge in report.edges if edge.critical),
        ),
        has_dashed="dashed" in looks,
        has_hollow="hollow" in looks,
        has_dotted="dotted" in looks,
    )


def _lane(row: RowReport, middle: int, axis: Axis, hue: int) -> Lane:
    left, right = _ends(row, axis)
    started = isinstance(row.start, int)
    return Lane(
        phase=row.phase,
        name=row.name,
        hue=hue,
        text_y=middle + 4,
        line_y=middle,
        bar=Bar(
            x=percent(left),
            y=middle - BAR_HEIGHT // 2,
            width=percent(right - left),
            height=BAR_HEIGHT,
            look=_look(row),
        ),
        start=str(row.start) if started else "",
        start_x=percent(left),
        finish=_finish_word(row) if started else "",
        finish_x=percent(right),
        note="" if started else _note(row),
        note_x=percent(right),
    )


def _ends(row: RowReport, axis: Axis) -> tuple[float, float]:
    """Return where the bar begins and ends; a phase without a start has a stub at the left."""
    if not isinstance(row.start, int):
        stub = min(100 / axis.count, 2.0)
        return 0.0, max(stub, 1.0)
    if isinstance(row.finish, int):
        first, last = sorted((row.start, row.finish))
        return axis.left(first), axis.right(last)
    return axis.left(row.start), 100.0


def _span(row: RowReport, lane: Lane, axis: Axis) -> LaneSpan:
    left, right = _ends(row, axis)
    room = right if isinstance(row.start, int) else right + _NOTE_ROOM
    return LaneSpan(lane.line_y, lane.bar.height, left, room)


def _look(row: RowReport) -> str:
    if row.required is False:
        return "dashed"
    if row.start is None or row.finish is None or row.verdict == "unknown":
        return "dotted"
    if row.start == "never" or row.finish == "never":
        return "hollow"
    return "solid"


def _finish_word(row: RowReport) -> str:
    return "?" if row.finish is None else str(row.finish)


def _note(row: RowReport) -> str:
    if row.start is None:
        return "? not known"
    return "not required" if row.required is False else "never started"


def _sentence(row: RowReport) -> str:
    owed = " (not required)" if row.required is False else ""
    if row.start is None:
        return f"{row.phase}{owed}: start not known."
    if not isinstance(row.start, int):
        return f"{row.phase}{owed}: never started."
    finish = {None: "finish not known", "never": "never finished"}.get(
        row.finish if not isinstance(row.finish, int) else "", f"to turn {row.finish}"
    )
    return f"{row.phase}{owed}: from turn {row.start}, {finish}."


def _label_size(rows: Sequence[RowReport]) -> str:
    longest = max(len(row.phase) for row in rows)
    return next((word for most, word in _LABEL_SIZES if longest <= most), "longest")
