"""The order graph as a drawing: boxes and curves, and the same in words.

All lengths are pixels of the drawing; it keeps its size and scrolls on a narrow screen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from catalogs.core.document import Document, Phase, RequiredKind
from catalogs.presenters.order import Layers, OrderEdge, lay_out
from catalogs.presenters.order_curves import Curve, draw_curves, edge_label
from catalogs.presenters.order_places import (
    BOX_HEIGHT,
    LETTER,
    WIDE_LETTER,
    Column,
    Spot,
    place_all,
)
from catalogs.presenters.requirements import duty_words, items_words

_GAP = 44
_NARROW_BOX, _WIDE_BOX = 110, 184
#: What a wide screen shows of the drawing without scrolling.
_PAGE_ROOM = 1180


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


def draw_order(document: Document, edges: Sequence[OrderEdge]) -> OrderPicture:
    """Draw the order. Raises ValueError with the cycle in words for one that has none."""
    layers = lay_out(document, edges)
    phases = {phase.id: phase for phase in document.phases}
    labels = {chain.edge: edge_label(chain.edge, document) for chain in layers.chains}
    columns = _columns(layers, labels)
    spots, height = place_all(layers, columns)
    boxes = tuple(_box(phase, spots[phase.id]) for phase in phases.values())
    curves = draw_curves(layers.chains, spots, labels)
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
        columns.append(Column(left, max(usual, round(longest * WIDE_LETTER) + 22)))
    return tuple(columns)


def _gaps(layers: Layers, labels: Mapping[OrderEdge, str]) -> list[int]:
    """Return the room before each layer; the labels of an edge stand before its child."""
    longest: dict[str, int] = {}
    for edge, label in labels.items():
        longest[edge.child] = max(longest.get(edge.child, 0), len(label))
    return [
        max(_GAP, round(max(longest.get(stop, 0) for stop in layer) * LETTER) + 34) if at else 0
        for at, layer in enumerate(layers.layers)
    ]


def _box(phase: Phase, spot: Spot) -> Box:
    room = int((spot.width - 18) / LETTER)
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


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room - 1].rstrip()}…"
