"""What a system's rows are worth by the labels: boundaries, critical edges, escalations.

| figure | formula |
| --- | --- |
| boundary exact | starts that are the label's / labelled starts; also finishes, and both |
| within one turn | the same, where both are turns at most one apart |
| verdict | verdicts that are the label's / labelled verdicts |
| missed violations | broken critical edges that the system calls kept |
| false alarms | kept critical edges that the system calls broken |
| undecided | critical edges of either sort that the system leaves to a person |
| escalation yield | escalated rows where a person changes something / escalated rows |
| unescalated errors | rows that are wrong and were not escalated / rows that were not escalated |

A boundary or verdict that the label leaves unknown is not counted. A row that a system leaves out,
or leaves open, is not exact. A row is escalated where it is open or the system says so; one that is
left out is not. A person changes something where start, finish or verdict is another. The
definitions of yield and of errors are ours; the tasks are the paper's (section 6).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from review.core.dataset.rows_read import Boundary, Label, SystemCall
from review.core.rows import NEVER, UNKNOWN, Point, Verdict

_OPEN = Boundary(UNKNOWN, UNKNOWN, Verdict.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many, exactly."""

    hits: int
    of: int

    @property
    def value(self) -> Fraction | None:
        """The fraction; None of nothing."""
        return Fraction(self.hits, self.of) if self.of else None


@dataclass(frozen=True, slots=True)
class Score:
    """One system's figures; `left_out` are labelled calls it says nothing of, `strange` calls that
    no label is for.
    """

    start_exact: Share
    finish_exact: Share
    both_exact: Share
    start_near: Share
    finish_near: Share
    verdict: Share
    missed_violations: Share
    false_alarms: Share
    undecided: Share
    escalation_yield: Share
    unescalated_errors: Share
    left_out: int
    strange: int


def score(labels: Mapping[str, Label], system: Mapping[str, SystemCall]) -> Score:
    """Compare a system's rows with the labels."""
    rows = [
        (label, _said(system.get(call), phase))
        for call, one in labels.items()
        for phase, label in one.phases.items()
    ]
    starts = [(label.start, said.start) for label, said in _known(rows)]
    finishes = [(label.finish, said.finish) for label, said in _known(rows)]
    edges = [pair for call, one in labels.items() for pair in _edges(one, system.get(call))]
    escalated = [(label, said) for label, said in _known(rows) if said.escalated]
    alone = [(label, said) for label, said in _known(rows) if not said.escalated]
    return Score(
        start_exact=_exact(starts),
        finish_exact=_exact(finishes),
        both_exact=_both(rows),
        start_near=_near(starts),
        finish_near=_near(finishes),
        verdict=_verdicts(rows),
        missed_violations=_share(said is True for label, said in edges if label is False),
        false_alarms=_share(said is False for label, said in edges if label is True),
        undecided=_share(said is None for _, said in edges),
        escalation_yield=_share(_differs(label, said) for label, said in escalated),
        unescalated_errors=_share(_differs(label, said) for label, said in alone),
        left_out=len(labels.keys() - system.keys()),
        strange=len(system.keys() - labels.keys()),
    )


def ranked(scores: Mapping[str, Score]) -> list[str]:
    """Return the systems, the best first: fewest missed violations, then most exact boundaries,
    then fewest errors that nobody was asked about, then the highest yield, then by name.
    """

    def merit(
        name: str,
    ) -> tuple[Fraction | int, Fraction | int, Fraction | int, Fraction | int, str]:
        one = scores[name]
        return (
            one.missed_violations.value or 0,
            -(one.both_exact.value or 0),
            one.unescalated_errors.value or 0,
            -(one.escalation_yield.value or 0),
            name,
        )

    return sorted(scores, key=merit)


Row = tuple[Boundary, Boundary]


def _said(call: SystemCall | None, phase: str) -> Boundary:
    given = None if call is None else call.phases.get(phase)
    if given is None:
        return _OPEN
    return given._replace(escalated=True) if given.is_open else given


def _known(rows: Iterable[Row]) -> list[Row]:
    return [(label, said) for label, said in rows if label.verdict is not Verdict.UNKNOWN]


def _exact(points: Sequence[tuple[Point, Point]]) -> Share:
    return _share(label == said for label, said in points if label is not UNKNOWN)


def _near(points: Sequence[tuple[Point, Point]]) -> Share:
    return _share(_is_near(label, said) for label, said in points if label is not UNKNOWN)


def _is_near(label: Point, said: Point) -> bool:
    if isinstance(label, int) and isinstance(said, int):
        return abs(label - said) <= 1
    return label is said


def _both(rows: Sequence[Row]) -> Share:
    counted = [
        (label, said) for label, said in _known(rows) if UNKNOWN not in (label.start, label.finish)
    ]
    return _share(label[:2] == said[:2] for label, said in counted)


def _verdicts(rows: Sequence[Row]) -> Share:
    return _share(label.verdict is said.verdict for label, said in _known(rows))


def _differs(label: Boundary, said: Boundary) -> bool:
    return label[:3] != said[:3]


def _edges(label: Label, said: SystemCall | None) -> list[tuple[bool, bool | None]]:
    """Return for each decided edge the label and what the system says of it."""
    return [
        (ok, _edge(edge, policy, said))
        for edge, (policy, ok) in label.edges.items()
        if ok is not None
    ]


def _edge(edge: tuple[str, str], policy: str, said: SystemCall | None) -> bool | None:
    """Return the system's own word on an edge, or what follows from its rows."""
    if said is None:
        return None
    if edge in said.edges:
        return said.edges[edge]
    parent, child = (said.phases.get(phase, _OPEN) for phase in edge)
    if child.start is NEVER:
        return True
    if not isinstance(child.start, int) or parent.finish is UNKNOWN:
        return None
    if not isinstance(parent.finish, int):
        return False
    same_turn = policy == "<=" and parent.finish == child.start
    return parent.finish < child.start or same_turn


def _share(hits: Iterable[bool]) -> Share:
    counted = list(hits)
    return Share(sum(counted), len(counted))
