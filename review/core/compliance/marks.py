"""What a signed evaluation says of critical edges and acceptance items, as short names.

``PID>CSV`` is a critical edge, ``PID/name`` the item `name` of the phase PID. A name is in `judged`
where the call had an answer, and in `failed` where that answer is no; an edge of several items
failed where one of them did. Items count where their phase was owed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from review.core.evaluation import Report


class Marks(NamedTuple):
    """The names that were judged, and those of them that failed, each sorted."""

    judged: tuple[str, ...]
    failed: tuple[str, ...]


def marks_of(report: Report) -> Marks:
    """Return the marks of an evaluation."""
    found = list(_found(report))
    failed = {name for name, ok in found if not ok}
    return Marks(tuple(sorted({name for name, _ in found})), tuple(sorted(failed)))


def is_edge(name: str) -> bool:
    """Say whether a name is that of a critical edge.

    >>> is_edge("PID>CSV"), is_edge("PID/name")
    (True, False)
    """
    return ">" in name


def _found(report: Report) -> Iterator[tuple[str, bool]]:
    for edge in report.edges:
        if edge.critical and edge.ok is not None:
            yield f"{edge.parent}>{edge.child}", edge.ok
    for row in report.rows:
        if row.required is True:
            for item in row.items:
                if item.met is not None:
                    yield f"{row.phase}/{item.id}", item.met
