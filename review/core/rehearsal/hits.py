"""Where the rules of one phase hit in a call, matcher by matcher: turns, never words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from catalogs.core.document import Document, Matcher, Phase
from review.core.evaluation.judging import read_roles
from review.core.evidence.scan import Scan
from review.core.rehearsal.alone import cascade_alone
from review.core.transcript import Call


@dataclass(frozen=True, slots=True)
class MatcherHits:
    """The turns of a call that one matcher hits, each once and in order. `item` is the acceptance
    item that it is of, empty for one that starts the phase; `position` counts from 1.
    """

    item: str
    position: int
    turns: tuple[int, ...]


def hits_in(document: Document, phase: Phase, call: Call) -> tuple[MatcherHits, ...]:
    """Run the starts and acceptance items of a phase over a call, without the rest of the catalog.

    A question hits on its own turn; an event that cannot be placed among the turns is left out.
    Raises as `prepare` for patterns that RE2 refuses.
    """
    cascade = cascade_alone(document, phase)
    mapped, _ = read_roles(call, cascade)
    scan = Scan(mapped, cascade.table, cascade.lists)
    return tuple(
        MatcherHits(item, position, _turns(scan, matcher))
        for item, position, matcher in _matchers(phase)
    )


def _matchers(phase: Phase) -> Iterator[tuple[str, int, Matcher]]:
    for position, matcher in enumerate(phase.starts, 1):
        yield "", position, matcher
    for item in phase.accept:
        for position, matcher in enumerate(item.match, 1):
            yield item.id, position, matcher


def _turns(scan: Scan, matcher: Matcher) -> tuple[int, ...]:
    return tuple(sorted({one.opens for one in scan.of(matcher.path) if isinstance(one.opens, int)}))
