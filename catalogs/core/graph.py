"""The two graphs of a catalog: which phase must come before which, and which requirement reads
which.

They are separate: a phase may rightly be owed because of one that is ordered after it. All walks
are iterative and take neighbours in document order, so the same catalog always gives the same
words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from catalogs.core.document import Document, Phase
from catalogs.core.requirements import free_facts, free_phases

Graph = Mapping[str, tuple[str, ...]]


def order_graph(document: Document) -> Graph:
    """Return parent -> children over the known phases, soft and critical edges alike."""
    ids = {phase.id for phase in document.phases}
    children: dict[str, list[str]] = {phase.id: [] for phase in document.phases}
    for parent, child in document.edges:
        if parent in ids and child not in children[parent]:
            children[parent].append(child)
    return {parent: tuple(found) for parent, found in children.items()}


def requirement_graph(document: Document) -> Graph:
    """Return phase -> the phases its requirement reads, itself or through the facts they yield."""
    ids = {phase.id for phase in document.phases}
    return {
        phase.id: tuple(name for name in dict.fromkeys(_reads(phase, document)) if name in ids)
        for phase in document.phases
    }


def _reads(phase: Phase, document: Document) -> Iterable[str]:
    when = phase.required.when
    if when is None:
        return
    for phase_id, _ in free_phases(when):
        yield phase_id
    for name in free_facts(when):
        if name in document.facts:
            yield document.facts[name].source


def cycles(graph: Graph) -> tuple[tuple[str, ...], ...]:
    """Return cycles that together show every part of the graph that has one; each starts and ends
    with the same node.

    After a cycle is found its nodes are left out, so knotted cycles come one after the other as the
    author unties them.
    """
    found: list[tuple[str, ...]] = []
    gone: set[str] = set()
    while True:
        cycle = _first_cycle(graph, gone)
        if not cycle:
            return tuple(found)
        found.append(cycle)
        gone.update(cycle)


def _first_cycle(graph: Graph, gone: set[str]) -> tuple[str, ...]:
    done = set(gone)
    for root in graph:
        if root in done:
            continue
        path, pending = [root], [iter(graph[root])]
        while path:
            following = next((n for n in pending[-1] if n not in done), None)
            if following is None:
                done.add(path.pop())
                pending.pop()
            elif following in path:
                return (*path[path.index(following) :], following)
            else:
                path.append(following)
                pending.append(iter(graph.get(following, ())))
    return ()


def cycle_in_words(cycle: tuple[str, ...]) -> str:
    """Return a cycle as a path.

    >>> cycle_in_words(("PID", "CSV", "PID"))
    'PID → CSV → PID'
    """
    return " → ".join(cycle)


def topological_order(graph: Graph) -> tuple[str, ...]:
    """Return the nodes so that every edge points forward, ties in document order.

    Raises ValueError with the cycle in words if there is none.
    """
    waiting = dict.fromkeys(graph, 0)
    for followers in graph.values():
        for follower in followers:
            waiting[follower] += 1
    ordered: list[str] = []
    ready = [node for node in graph if waiting[node] == 0]
    while ready:
        node = ready.pop(0)
        ordered.append(node)
        for follower in graph[node]:
            waiting[follower] -= 1
            if waiting[follower] == 0:
                ready.append(follower)
    if len(ordered) < len(graph):
        raise ValueError(f"no order: {cycle_in_words(cycles(graph)[0])}")
    return tuple(ordered)


def reachable(graph: Graph, start: str) -> frozenset[str]:
    """Return every node that a path of at least one edge leads to from `start`."""
    seen: set[str] = set()
    pending = list(graph.get(start, ()))
    while pending:
        node = pending.pop()
        if node not in seen:
            seen.add(node)
            pending.extend(graph.get(node, ()))
    return frozenset(seen)


def critical_share(document: Document) -> Fraction | None:
    """Return critical edges / edges (method 1.4), None for a catalog without edges.

    A figure about the catalog, not about a call; the paper's CDS is another thing.
    """
    edges = len(document.edges)
    critical = sum(len(phase.critical) for phase in document.phases)
    return Fraction(critical, edges) if edges else None
