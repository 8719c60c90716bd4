"""What becomes of a call under another catalog version: of its verdict, its rows and its edges."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from review.core.predicates import Outcome


class Change(Enum):
    """What becomes of CallSuccess under the other version; the value is how a page calls it."""

    SAME = "the same"
    PASS_TO_FAIL = "pass to fail"
    FAIL_TO_PASS = "fail to pass"
    TO_UNDETERMINED = "to undetermined"
    FROM_UNDETERMINED = "from undetermined"


class Turned(NamedTuple):
    """A phase or an edge that comes out otherwise. `turn` is where to look, if anywhere; `before`
    and `after` are codes and turn numbers in words, empty for what is not there.
    """

    name: str
    turn: int | None
    before: str
    after: str


class Compared(NamedTuple):
    """A call as it stands and under the other version, row by row; no word of the call is in it.

    - `annotate` are phases that a person must look at before the other version can judge the call.
    - `lost` are those of them whose decisions by people could not be kept.
    """

    id: str
    signed: bool
    change: Change
    before: Outcome
    after: Outcome
    rows: tuple[Turned, ...] = ()
    edges: tuple[Turned, ...] = ()
    annotate: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()

    @property
    def says_something(self) -> bool:
        """Whether anything at all is other than it stands."""
        return self.change is not Change.SAME or bool(self.rows or self.edges or self.annotate)


def change_between(was: Outcome, now: Outcome) -> Change:
    """Return what becomes of a verdict."""
    if was is now:
        return Change.SAME
    if now is Outcome.UNDETERMINED:
        return Change.TO_UNDETERMINED
    if was is Outcome.UNDETERMINED:
        return Change.FROM_UNDETERMINED
    return Change.PASS_TO_FAIL if now is Outcome.FAIL else Change.FAIL_TO_PASS
