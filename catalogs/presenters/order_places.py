"""Heights of the stops: each as near to the middle of its neighbours as the others let it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from catalogs.presenters.order import Layers

BOX_HEIGHT = 52
#: Widths of letters of the drawing's type, a little too wide rather than too narrow.
WIDE_LETTER, LETTER = 8.0, 5.9
_BETWEEN_BOXES = 16
#: Room for an edge that passes a layer.
_PASSING = 18
_MARGIN = 14
_SWEEPS = 6


@dataclass(frozen=True, slots=True)
class Column:
    """Where a layer stands."""

    left: int
    width: int

    @property
    def right(self) -> int:
        """The right end."""
        return self.left + self.width


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a stop stands; its middle counts from the top."""

    left: int
    width: int
    middle: int


def place_all(layers: Layers, columns: Sequence[Column]) -> tuple[dict[str, Spot], int]:
    """Return the place of every stop, and how high the drawing is."""
    near = _neighbours(layers)
    middles: dict[str, float] = {}
    for layer in layers.layers:
        middles.update(_apart(layer, [0.0] * len(layer)))
    for sweep in range(_SWEEPS):
        # From either end in turn, so that neither end sets all the heights.
        ordered = layers.layers if sweep % 2 == 0 else layers.layers[::-1]
        for layer in ordered:
            wanted = [
                fmean(middles[other] for other in near[stop]) if near[stop] else middles[stop]
                for stop in layer
            ]
            middles.update(_apart(layer, wanted))
    top = min((middles[stop] - _half(stop) for stop in middles), default=0.0)
    spots = {
        stop: Spot(column.left, column.width, round(middles[stop] - top) + _MARGIN)
        for layer, column in zip(layers.layers, columns, strict=True)
        for stop in layer
    }
    bottom = max((spot.middle + round(_half(stop)) for stop, spot in spots.items()), default=0)
    return spots, bottom + _MARGIN


def _neighbours(layers: Layers) -> Mapping[str, list[str]]:
    near: dict[str, list[str]] = {stop: [] for layer in layers.layers for stop in layer}
    for chain in layers.chains:
        for left, right in pairwise(chain.stops):
            near[left].append(right)
            near[right].append(left)
    return near


def _half(stop: str) -> float:
    return (_PASSING if ">" in stop else BOX_HEIGHT) / 2


def _apart(layer: Sequence[str], wanted: Sequence[float]) -> dict[str, float]:
    """Return the heights nearest to the wanted ones (least squares) that keep order and distance.

    Neighbours that would overlap are pooled and share the mean of their wishes.
    """
    offsets = [0.0]
    for upper, lower in pairwise(layer):
        offsets.append(offsets[-1] + _half(upper) + _half(lower) + _gap(upper, lower))
    pools: list[tuple[float, int]] = []
    for wish, offset in zip(wanted, offsets, strict=False):
        mean, size = wish - offset, 1
        while pools and pools[-1][0] > mean:
            above, many = pools.pop()
            mean, size = (above * many + mean * size) / (many + size), many + size
        pools.append((mean, size))
    bases = [mean for mean, size in pools for _ in range(size)]
    return {stop: base + offset for stop, base, offset in zip(layer, bases, offsets, strict=False)}


def _gap(upper: str, lower: str) -> int:
    return _BETWEEN_BOXES if ">" not in upper + lower else _BETWEEN_BOXES // 2
