"""The order graph as a drawing: boxes, curves, marks of critical edges, and the same in words.

All lengths are pixels of the drawing; it keeps its size and scrolls on a narrow screen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from catalogs.core.document import Document, Phase, RequiredKind, Scope
from catalogs.presenters.order import Chain, Layers, OrderEdge, lay_out
from catalogs.presenters.order_places import BOX_HEIGHT, Column, Spot, place_all
from catalogs.presenters.requirements import duty_words, items_words

_ARROW = 6
_LINE_HEIGHT = 12
#: Widths of letters of the drawing's type, a little too wide rather than too narrow.
_WIDE_LETTER, _LETTER = 8.0, 5.9
_PORT_ROOM = 13
_GAP = 44
_NARROW_BOX, _WIDE_BOX = 110, 184
#: What a wide screen shows of the drawing without scrolling.
_PAGE_ROOM = 1180
#: Where along its last curve a label may stand, the best place first.
_LABEL_PLACES = (0.62, 0.45, 0.8, 0.3, 0.15)


@dataclass(frozen=True, slots=True)
class Box:
    """One phase. `look` is solid, or dashed where no call owes the phase."""

    phase: str
    name: str
    duty: str
    x: int
    y: int
    width: int
    height: int
    look: str


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
class OrderPicture:
    """The drawing. `left_out` counts soft edges that follow from drawn ones."""

    width: int
    height: int
    boxes: tuple[Box, ...]
    curves: tuple[Curve, ...]
    title: str
    sentences: tuple[str, ...]
    left_out: int
    has_dashed: bool
    has_critical: bool


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


def draw_order(document: Document, edges: Sequence[OrderEdge]) -> OrderPicture:
    """Draw the order. Raises ValueError with the cycle in words for one that has none."""
    layers = lay_out(document, edges)
    phases = {phase.id: phase for phase in document.phases}
    labels = {chain.edge: edge_label(chain.edge, document) for chain in layers.chains}
    columns = _columns(layers, labels)
    spots, height = place_all(layers, columns)
    boxes = tuple(_box(phase, spots[phase.id]) for phase in phases.values())
    curves = _curves(layers.chains, spots, labels)
    return OrderPicture(
        width=columns[-1].right + 2 if columns else 0,
        height=height,
        boxes=boxes,
        curves=curves,
        title=f"Order of the {len(boxes)} phases of {document.slug} {document.version}",
        sentences=tuple(edge_sentence(edge, document) for edge in edges),
        left_out=sum(1 for edge in edges if not edge.is_drawn),
        has_dashed=any(box.look == "dashed" for box in boxes),
        has_critical=any(curve.is_critical for curve in curves),
    )


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


def edge_sentence(edge: OrderEdge, document: Document) -> str:
    """Say what an edge asks for."""
    if edge.critical is None:
        return f"{edge.parent} before {edge.child}."
    same_turn = document.phase(edge.child).precedence.value == "<="
    tail = ", in the same turn at the latest" if same_turn else ""
    return f"Critical: {edge.parent} must finish before {edge.child} starts{tail}."


def _columns(layers: Layers, labels: Mapping[OrderEdge, str]) -> tuple[Column, ...]:
    """Make each gap as wide as its longest label, each layer as wide as its longest phase id; few
    layers share the room of a page.
    """
    gaps = _gaps(layers, labels)
    share = (_PAGE_ROOM - sum(gaps)) // max(len(gaps), 1)
    usual = min(max(share, _NARROW_BOX), _WIDE_BOX)
    columns: list[Column] = []
    for gap, layer in zip(gaps, layers.layers, strict=True):
        longest = max((len(stop) for stop in layer if ">" not in stop), default=0)
        left = columns[-1].right + gap if columns else 1
        columns.append(Column(left, max(usual, round(longest * _WIDE_LETTER) + 22)))
    return tuple(columns)


def _gaps(layers: Layers, labels: Mapping[OrderEdge, str]) -> list[int]:
    """Return the room before each layer; the labels of an edge stand before its child."""
    longest: dict[str, int] = {}
    for edge, label in labels.items():
        longest[edge.child] = max(longest.get(edge.child, 0), len(label))
    return [
        max(_GAP, round(max(longest.get(stop, 0) for stop in layer) * _LETTER) + 34) if at else 0
        for at, layer in enumerate(layers.layers)
    ]


def _box(phase: Phase, spot: Spot) -> Box:
    room = int((spot.width - 18) / _LETTER)
    words = [duty_words(phase), items_words(phase)]
    return Box(
        phase=phase.id,
        name=_cut(phase.name, room),
        duty=_cut(", ".join(word for word in words if word), room),
        x=spot.left,
        y=spot.middle - BOX_HEIGHT // 2,
        width=spot.width,
        height=BOX_HEIGHT,
        look="dashed" if phase.required.kind is RequiredKind.OPTIONAL else "solid",
    )


def _curves(
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
    half = len(label) * _LETTER / 2
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


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room - 1].rstrip()}…"
