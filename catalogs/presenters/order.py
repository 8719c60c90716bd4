"""The order of a catalog in layers from left to right, ready to be placed.

1. Soft edges that follow from a chain of others are not drawn; critical edges always are.
2. A phase stands one layer after its last parent; one without parents just before its first child.
3. An edge over several layers gets a stop in each layer between, so that it never crosses a phase.
4. Within a layer phases are sorted to cross few edges; the same catalog gives the same picture.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean

from catalogs.core.document import CriticalEdge, Document
from catalogs.core.graph import Graph, reachable, topological_order

_SWEEPS = 8


@dataclass(frozen=True, slots=True)
class OrderEdge:
    """One edge of the order. `implied` is the chain that a soft edge follows from, else empty."""

    parent: str
    child: str
    critical: CriticalEdge | None
    implied: tuple[str, ...]

    @property
    def is_drawn(self) -> bool:
        """Whether the picture has it."""
        return self.critical is not None or not self.implied


@dataclass(frozen=True, slots=True)
class Chain:
    """A drawn edge and the names of all its stops: parent, one per layer between, child."""

    edge: OrderEdge
    stops: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Layers:
    """Stops by layer, top to bottom. Stops that are no phase belong to one chain only."""

    layers: tuple[tuple[str, ...], ...]
    chains: tuple[Chain, ...]


def edges_of(document: Document) -> tuple[OrderEdge, ...]:
    """Return the edges between known phases, critical parents that `parents` forgot included."""
    graph = _graph(document)
    found = []
    for phase in document.phases:
        critical = {edge.parent: edge for edge in phase.critical}
        for parent in dict.fromkeys((*phase.parents, *critical)):
            if parent in graph:
                rule = critical.get(parent)
                implied = () if rule else _detour(graph, parent, phase.id)
                found.append(OrderEdge(parent, phase.id, rule, implied))
    return tuple(found)


def lay_out(document: Document, edges: Sequence[OrderEdge]) -> Layers:
    """Sort the phases into layers. Raises ValueError with the cycle in words if there is one."""
    drawn = [edge for edge in edges if edge.is_drawn]
    depth = _depths(_graph(document), topological_order(_graph(document)), drawn)
    layers: list[list[str]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for phase in document.phases:
        layers[depth[phase.id]].append(phase.id)
    chains = tuple(Chain(edge, _stops(edge, depth)) for edge in drawn)
    for chain in chains:
        for place, stop in enumerate(chain.stops[1:-1], depth[chain.edge.parent] + 1):
            layers[place].append(stop)
    return Layers(_untangled(layers, chains), chains)


def _graph(document: Document) -> Graph:
    children: dict[str, dict[str, None]] = {phase.id: {} for phase in document.phases}
    for phase in document.phases:
        for parent in (*phase.parents, *(edge.parent for edge in phase.critical)):
            if parent in children:
                children[parent][phase.id] = None
    return {parent: tuple(found) for parent, found in children.items()}


def _detour(graph: Graph, parent: str, child: str) -> tuple[str, ...]:
    """Return a chain from parent to child over at least one other phase, empty without any."""
    for step in graph[parent]:
        if step == child:
            continue
        if child in graph[step]:
            return (parent, step, child)
        if child in reachable(graph, step):
            return (parent, *(_detour(graph, step, child) or (step, child)))
    return ()


def _depths(graph: Graph, order: Sequence[str], drawn: Sequence[OrderEdge]) -> dict[str, int]:
    depth = dict.fromkeys(graph, 0)
    for phase in order:
        for child in graph[phase]:
            depth[child] = max(depth[child], depth[phase] + 1)
    with_parent = {edge.child for edge in drawn}
    for phase in graph:
        children = [depth[edge.child] for edge in drawn if edge.parent == phase]
        if children and phase not in with_parent:
            depth[phase] = min(children) - 1
    return depth


def _stops(edge: OrderEdge, depth: Mapping[str, int]) -> tuple[str, ...]:
    between = range(depth[edge.parent] + 1, depth[edge.child])
    return (edge.parent, *(f"{edge.parent}>{edge.child}@{at}" for at in between), edge.child)


@dataclass(frozen=True, slots=True)
class _Sides:
    """The neighbours of each stop in the layer before it and in the layer after it."""

    before: Mapping[str, list[str]]
    after: Mapping[str, list[str]]


def _untangled(
    layers: Sequence[Sequence[str]], chains: Sequence[Chain]
) -> tuple[tuple[str, ...], ...]:
    """Sort each layer by the middle of its neighbours, to and fro; keep the order that crosses
    least.
    """
    sides = _sides(chains)
    current = [list(layer) for layer in layers]
    best, least = [*current], _crossings(current, sides)
    for sweep in range(_SWEEPS):
        if not least:
            break
        forward = sweep % 2 == 0
        places = range(1, len(current)) if forward else range(len(current) - 2, -1, -1)
        for place in places:
            beside = current[place - 1] if forward else current[place + 1]
            near = sides.before if forward else sides.after
            current[place] = _by_middle(current[place], beside, near)
        crossed = _crossings(current, sides)
        if crossed < least:
            best, least = [*current], crossed
    return tuple(tuple(layer) for layer in best)


def _sides(chains: Sequence[Chain]) -> _Sides:
    before: dict[str, list[str]] = defaultdict(list)
    after: dict[str, list[str]] = defaultdict(list)
    for chain in chains:
        for left, right in pairwise(chain.stops):
            before[right].append(left)
            after[left].append(right)
    return _Sides(before, after)


def _by_middle(
    layer: Sequence[str], beside: Sequence[str], near: Mapping[str, list[str]]
) -> list[str]:
    at = {stop: place for place, stop in enumerate(beside)}
    middles = {
        stop: fmean(at[other] for other in near[stop]) if near[stop] else float(own)
        for own, stop in enumerate(layer)
    }
    return sorted(layer, key=middles.__getitem__)


def _crossings(layers: Sequence[Sequence[str]], sides: _Sides) -> int:
    return sum(_crossings_between(left, right, sides) for left, right in pairwise(layers))


def _crossings_between(left: Sequence[str], right: Sequence[str], sides: _Sides) -> int:
    at = {stop: place for place, stop in enumerate(right)}
    ends = [sorted(at[stop] for stop in sides.after[start]) for start in left]
    # Of two starts, each end of the lower one that lies above an end of the upper one crosses it.
    return sum(
        1
        for number, lower in enumerate(ends)
        for upper in ends[:number]
        for one in lower
        for two in upper
        if one < two
    )
