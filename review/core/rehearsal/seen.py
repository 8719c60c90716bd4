"""What the tests of a catalog have seen: each critical edge, each condition, each phase.

A catalog is rehearsed when every critical edge was seen safe and unsafe and every condition of a
phase true and false. An edge whose child never started, or that was waived, shows neither.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from catalogs.core.document import Document, RequiredKind
from catalogs.core.findings import Finding, warning
from review.core.evaluation import EdgeReport, Judged
from review.core.predicates import Code

_SILENT = frozenset({Code.CHILD_NEVER_STARTED.value, Code.WAIVED.value})
_TIES = frozenset({Code.TIE_STRICT.value, Code.TIE_ALLOWED.value})


@dataclass(frozen=True, slots=True)
class EdgeSeen:
    """In how many runs a critical edge held, was broken, was a tie (also counted before), was open
    or silent.
    """

    parent: str
    child: str
    safe: int
    unsafe: int
    tied: int
    unknown: int
    silent: int

    @property
    def whole(self) -> bool:
        """Whether both sides were seen."""
        return self.safe > 0 and self.unsafe > 0


@dataclass(frozen=True, slots=True)
class RequirementSeen:
    """In how many runs a conditional phase was owed, not owed, or could not be told."""

    phase: str
    owed: int
    not_owed: int
    unknown: int

    @property
    def whole(self) -> bool:
        """Whether both sides were seen."""
        return self.owed > 0 and self.not_owed > 0


@dataclass(frozen=True, slots=True)
class PhaseSeen:
    """In how many runs a phase came out with each verdict."""

    phase: str
    passed: int
    failed: int
    unknown: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """What all runs together have seen."""

    runs: int
    edges: tuple[EdgeSeen, ...]
    requirements: tuple[RequirementSeen, ...]
    phases: tuple[PhaseSeen, ...]

    @property
    def whole(self) -> bool:
        """Whether every critical edge and every condition was seen both ways."""
        edges = all(edge.whole for edge in self.edges)
        return edges and all(one.whole for one in self.requirements)


def coverage_of(document: Document, judged: tuple[Judged, ...]) -> Coverage:
    """Count what the runs have seen."""
    return Coverage(
        runs=len(judged),
        edges=tuple(
            _edge(edge.parent, phase.id, judged)
            for phase in document.phases
            for edge in phase.critical
        ),
        requirements=tuple(
            _requirement(phase.id, judged)
            for phase in document.phases
            if phase.required.kind is RequiredKind.WHEN
        ),
        phases=tuple(_phase(phase.id, judged) for phase in document.phases),
    )


def _edge(parent: str, child: str, judged: tuple[Judged, ...]) -> EdgeSeen:
    own = [
        edge
        for one in judged
        for edge in one.report.edges
        if edge.critical and (edge.parent, edge.child) == (parent, child)
    ]
    seen = Counter(_side(edge) for edge in own)
    tied = sum(1 for edge in own if edge.code in _TIES)
    return EdgeSeen(
        parent, child, seen["safe"], seen["unsafe"], tied, seen["unknown"], seen["silent"]
    )


def _side(edge: EdgeReport) -> str:
    if edge.code in _SILENT:
        return "silent"
    return "unknown" if edge.ok is None else "safe" if edge.ok else "unsafe"


def _requirement(phase: str, judged: tuple[Judged, ...]) -> RequirementSeen:
    seen = Counter(one.report.row(phase).required for one in judged)
    return RequirementSeen(phase, seen[True], seen[False], seen[None])


def _phase(phase: str, judged: tuple[Judged, ...]) -> PhaseSeen:
    seen = Counter(one.report.row(phase).verdict for one in judged)
    return PhaseSeen(phase, seen["pass"], seen["fail"], seen["unknown"])


def gaps(document: Document, coverage: Coverage) -> tuple[Finding, ...]:
    """Say what no test has shown yet: W703, W704, W705."""
    return tuple(_gaps(document, coverage))


def _gaps(document: Document, coverage: Coverage) -> Iterator[Finding]:
    for edge in coverage.edges:
        if not edge.whole:
            where = f"{edge.child}.critical_parents.{edge.parent}"
            said = f"the tests see the critical edge {edge.parent}→{edge.child} {_only(edge)}"
            said = f"{said}; add a call that shows the other side"
            yield warning("W703", where, said, document.line(where))
    for one in coverage.requirements:
        if not one.whole:
            where = f"{one.phase}.required.when"
            seen = "only true" if one.owed else "only false" if one.not_owed else "neither way"
            said = f"the tests see this condition {seen}; add a call for the other branch"
            yield warning("W704", where, said, document.line(where))
    for phase in coverage.phases:
        if not phase.passed:
            said = "no test passes this phase; add a call in which it is done as it should be"
            yield warning("W705", phase.phase, said, document.line(phase.phase))


def _only(edge: EdgeSeen) -> str:
    return "only safe" if edge.safe else "only unsafe" if edge.unsafe else "neither way"
