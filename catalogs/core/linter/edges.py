"""Rules about the order graph and its critical edges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from catalogs.core.document import CriticalEdge, Document, Phase, Precedence, RequiredKind, Scope
from catalogs.core.findings import Finding, error, warning
from catalogs.core.graph import cycle_in_words, cycles, order_graph
from catalogs.core.linter.raw import raw_phase

_SHORTEST_RATIONALE = 30
_REVIEWABLE_SHARE = 10  # one edge in ten keeps a reviewer's eye on what matters


class _Edge(NamedTuple):
    child: Phase
    position: int
    edge: CriticalEdge

    @property
    def where(self) -> str:
        return f"{self.child.id}.critical_parents.{self.edge.parent}"

    @property
    def words(self) -> str:
        return f"the critical edge {self.edge.parent}→{self.child.id}"


def _edges(document: Document) -> Iterator[_Edge]:
    for index, phase in enumerate(document.phases):
        for edge in phase.critical:
            yield _Edge(phase, index, edge)


def _by_id(document: Document) -> Mapping[str, Phase]:
    return {phase.id: phase for phase in document.phases}


def too_many_critical(document: Document) -> Iterator[Finding]:
    """W201: more critical edges than one in ten (one is always allowed)."""
    critical, edges = sum(1 for _ in _edges(document)), len(document.edges)
    if edges and critical > max(1, edges // _REVIEWABLE_SHARE):
        said = f"{critical} of {edges} edges are critical; keep one in ten, or waive with a reason"
        yield warning("W201", "phases", said, document.line("phases"))


def unknown_parent(document: Document) -> Iterator[Finding]:
    """E202: a parent that is no phase."""
    known = _by_id(document)
    named = [(f"{phase.id}.parents", parent) for parent, phase in _soft(document)]
    named += [(found.where, found.edge.parent) for found in _edges(document)]
    for where, parent in named:
        if parent not in known:
            said = f"unknown parent {parent!r}; name a phase of this catalog"
            yield error("E202", where, said, document.line(where))


def _soft(document: Document) -> Iterator[tuple[str, Phase]]:
    for phase in document.phases:
        for parent in phase.parents:
            yield parent, phase


def critical_parent_not_a_parent(document: Document) -> Iterator[Finding]:
    """E203: a critical parent that `parents` does not list."""
    for found in _edges(document):
        if found.edge.parent not in found.child.parents:
            said = f"{found.edge.parent} is critical here but not listed under parents; add it"
            yield error("E203", found.where, said, document.line(found.where))


def order_cycle(document: Document) -> Iterator[Finding]:
    """E204: phases that must each come before the other."""
    for cycle in cycles(order_graph(document)):
        where = f"{cycle[0]}.parents"
        said = f"no order can satisfy {cycle_in_words(cycle)}; take one parent out"
        yield error("E204", where, said, document.line(where))


def no_rationale(document: Document) -> Iterator[Finding]:
    """E205: a critical edge that does not say whom it protects from what."""
    for found in _edges(document):
        if len(found.edge.rationale) < _SHORTEST_RATIONALE:
            said = f"{found.words} has no rationale; say in a sentence what goes wrong without it"
            yield error("E205", found.where, said, document.line(found.where))


def no_source(document: Document) -> Iterator[Finding]:
    """E206: a critical edge that cites nothing."""
    for found in _edges(document):
        if not found.edge.sources:
            said = f"{found.words} cites no source; add sources: [ID]"
            yield error("E206", found.where, said, document.line(found.where))


def same_turn_on_harm(document: Document) -> Iterator[Finding]:
    """E207: the policy `<=` on a phase that is not low_harm."""
    for phase in document.phases:
        if phase.precedence is Precedence.SAME_TURN and not phase.low_harm:
            where = f"{phase.id}.precedence"
            said = 'the policy "<=" is for low_harm phases only; write "<", or state low_harm: true'
            yield error("E207", where, said, document.line(where))


def same_turn_on_exact_clock(document: Document) -> Iterator[Finding]:
    """E208: the policy `<=` where turns have their own times."""
    for phase in document.phases:
        if phase.precedence is Precedence.SAME_TURN and document.clock_exact:
            where = f"{phase.id}.precedence"
            said = 'the policy "<=" needs clock: coarse; on an exact clock write "<"'
            yield error("E208", where, said, document.line(where))


def inference_only(document: Document) -> Iterator[Finding]:
    """W209: a critical edge that rests on the author's inference alone."""
    for found in _edges(document):
        kinds = {document.sources.get(name, {}).get("kind") for name in found.edge.sources}
        if kinds == {"inference"}:
            said = f"{found.words} rests on inference only; cite a rule or guidance"
            yield warning("W209", found.where, said, document.line(found.where))


def optional_parent(document: Document) -> Iterator[Finding]:
    """W210: a critical parent that may not be owed, and the edge does not say what holds then."""
    known = _by_id(document)
    for found in _edges(document):
        parent = known.get(found.edge.parent)
        written = _raw_edge(document, found)
        if (
            parent is not None
            and parent.required.kind is not RequiredKind.ALWAYS
            and "when" not in written
        ):
            said = f"{parent.id} may be not required; say on the edge when it binds (when: always)"
            yield warning("W210", found.where, said, document.line(found.where))


def _raw_edge(document: Document, found: _Edge) -> Mapping[str, object]:
    table = raw_phase(document, found.position).get("critical_parents")
    edge = table.get(found.edge.parent) if isinstance(table, dict) else None
    return edge if isinstance(edge, dict) else {}


def implied(document: Document) -> Iterator[Finding]:
    """W211: a critical edge that two others already imply."""
    known = _by_id(document)
    pairs = {(found.edge.parent, found.child.id) for found in _edges(document)}
    for found in _edges(document):
        parent, child = found.edge.parent, found.child
        between = [
            phase.id
            for phase in known.values()
            if (parent, phase.id) in pairs
            and (phase.id, child.id) in pairs
            and phase.required.kind is RequiredKind.ALWAYS
        ]
        if between and child.precedence is Precedence.STRICT:
            said = f"{found.words} follows from the edges through {between[0]}; drop it"
            yield warning("W211", found.where, said, document.line(found.where))


def none_critical(document: Document) -> Iterator[Finding]:
    """W212: no critical edge at all."""
    if not any(True for _ in _edges(document)):
        said = "no edge is critical, so OrderSafe can never fail; mark the one that protects"
        yield warning("W212", "phases", said, document.line("phases"))


def alone(document: Document) -> Iterator[Finding]:
    """W213: a phase with neither parent nor child."""
    children = order_graph(document)
    for phase in document.phases:
        if len(document.phases) > 1 and not phase.parents and not children[phase.id]:
            said = "no parent and no child; place the phase in the order, or drop it"
            yield warning("W213", phase.id, said, document.line(phase.id))


def item_edge_between_keys(document: Document) -> Iterator[Finding]:
    """E422: an edge per item between phases that do not share what they repeat over."""
    known = _by_id(document)
    for found in _edges(document):
        parent = known.get(found.edge.parent)
        if found.edge.scope is not Scope.ITEM or parent is None:
            continue
        if found.child.for_each is None or found.child.for_each != parent.for_each:
            said = f"{found.words} compares items, but the two repeat over different things; "
            said += "write scope: call, or give both the same for_each"
            yield error("E422", found.where, said, document.line(found.where))


def gate_without_volunteered_policy(document: Document) -> Iterator[Finding]:
    """W424: a gate that leaves open what early content is worth."""
    gates = document.gates
    for phase in document.phases:
        if phase.id in gates and not phase.ack_required and phase.volunteered is None:
            said = "a gate needs ack_required: true, or a written volunteered: {accept, rationale}"
            yield warning("W424", phase.id, said, document.line(phase.id))
