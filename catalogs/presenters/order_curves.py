"""The edges of the order graph as curves, and the marks beside critical ones.

Lengths are pixels of the drawing. A curve runs in the gaps between layers; in a layer that it
passes it is level.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from catalogs.core.document import Document, Scope
from catalogs.presenters.order import Chain, OrderEdge
from catalogs.presenters.order_places import LETTER, Spot

_ARROW = 6
_LINE_HEIGHT = 12
_PORT_ROOM = 13
#: Where along its last curve a label may stand, the best place first.
_LABEL_PLACES = (0.62, 0.45, 0.8, 0.3, 0.15)


@dataclass(frozen=True, slots=True)
class Curve:
    """One drawn edge: its path, its head, and what stands beside a critical one."""

    parent: str
    child: str
    is_critical: bool
    path: str
    head: str
    label: str
    label_x: float
    label_y: float


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle that text takes."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Area) -> bool:
        """Say whether two rectangles share any room."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


def draw_curves(
    chains: Sequence[Chain], spots: Mapping[str, Spot], labels: Mapping[OrderEdge, str]
) -> tuple[Curve, ...]:
    """Draw the soft edges first, so that critical ones lie on top."""
    out = _ports(chains, spots, leaving=True)
    into = _ports(chains, spots, leaving=False)
    taken: list[Area] = []
    drawn = []
    for chain in sorted(chains, key=lambda chain: chain.edge.critical is not None):
        points = _points(chain, spots, out[chain.edge], into[chain.edge])
        label = labels[chain.edge]
        x, y = _label_place(points[-2:], label, taken) if label else (0.0, 0.0)
        tip = points[-1]
        drawn.append(
            Curve(
                parent=chain.edge.parent,
                child=chain.edge.child,
                is_critical=chain.edge.critical is not None,
                path=_path(points),
                head=f"M{tip[0] + _ARROW} {tip[1]}l-{_ARROW + 1}-4v8z",
                label=label,
                label_x=x,
                label_y=y,
            )
        )
    return tuple(drawn)


def _ports(
    chains: Sequence[Chain], spots: Mapping[str, Spot], *, leaving: bool
) -> dict[OrderEdge, int]:
    """Spread the ends of edges along a box's side, in the order of where they come from or go."""
    sides: dict[str, list[Chain]] = {}
    for chain in chains:
        sides.setdefault(chain.stops[0 if leaving else -1], []).append(chain)
    ports = {}
    for phase, ending in sides.items():
        beside = 1 if leaving else -2
        ending.sort(key=lambda chain: spots[chain.stops[beside]].middle)
        step = 2 * _PORT_ROOM / max(len(ending), 2)
        top = spots[phase].middle - step * (len(ending) - 1) / 2
        for number, chain in enumerate(ending):
            ports[chain.edge] = round(top + step * number)
    return ports


Point = tuple[int, int]


def _points(chain: Chain, spots: Mapping[str, Spot], out: int, into: int) -> list[Point]:
    """Return where curves begin and end: pairs (leaving a layer, entering the next one)."""
    first, last = spots[chain.stops[0]], spots[chain.stops[-1]]
    points = [(first.left + first.width, out)]
    for stop in chain.stops[1:-1]:
        spot = spots[stop]
        points += [(spot.left, spot.middle), (spot.left + spot.width, spot.middle)]
    return [*points, (last.left - _ARROW, into)]


def _path(points: Sequence[Point]) -> str:
    parts = [f"M{points[0][0]} {points[0][1]}"]
    for start, end in zip(points[::2], points[1::2], strict=True):
        if start != points[0]:
            parts.append(f"L{start[0]} {start[1]}")
        middle = round((start[0] + end[0]) / 2)
        parts.append(f"C{middle} {start[1]} {middle} {end[1]} {end[0]} {end[1]}")
    return "".join(parts)


def _label_place(step: Sequence[Point], label: str, taken: list[Area]) -> tuple[float, float]:
    """Choose a place above the last curve that no other label has; failing that, the first."""
    half = len(label) * LETTER / 2
    for share in (*_LABEL_PLACES, _LABEL_PLACES[0]):
        x, y = _along(step, share)
        area = Area(x - half, y - 4 - _LINE_HEIGHT, x + half, y - 2)
        if not any(area.overlaps(other) for other in taken):
            break
    taken.append(area)
    return round(x, 1), round(y - 5, 1)


def _along(step: Sequence[Point], share: float) -> tuple[float, float]:
    """Return a point of the curve between two points (its handles are level, at half way)."""
    (x1, y1), (x2, y2) = step
    rest = 1 - share
    bend = 3 * rest * rest * share + 3 * rest * share * share
    x = rest**3 * x1 + bend * (x1 + x2) / 2 + share**3 * x2
    y = y1 + (y2 - y1) * (3 * rest * share * share + share**3)
    return x, y


def edge_label(edge: OrderEdge, document: Document) -> str:
    """Return what stands beside a critical edge: ◆, the policy, and what narrows it; else nothing.

    The scope is said only where there are items it could be about.
    """
    if edge.critical is None:
        return ""
    child = document.phase(edge.child)
    words = ["◆", child.precedence.value]
    if edge.critical.scope is Scope.ITEM:
        words.append("per item")
    elif child.for_each is not None or document.phase(edge.parent).for_each is not None:
        words.append("whole call")
    return " ".join([*words, "if …"] if edge.critical.when else words)
