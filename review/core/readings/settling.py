"""When a difference between two readings is settled: by a third person, or by both agreeing.

| what was decided on the row after both were done | settles it |
| --- | --- |
| last by a senior reviewer who is neither of the two | yes |
| the row stands as the second reading has it, and a first reader has decided it since | yes |
| the row stands otherwise, and the second reader decided it last | yes: they came round |
| anything else, a comment or a doubt | no |

Of a sampled call the machine came first and has no vote: its reader's own decision settles it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from review.core.decisions import Decision, Kind, standing_decisions
from review.core.readings.answering import Answer
from review.core.readings.comparing import Compared, Pair


class After(NamedTuple):
    """What is known of a reading when its differences are looked at.

    `reader` read blind, `done_at` is the number of the call's last decision then, and `sampled`
    says that no person had read the call before.
    """

    reader: str
    done_at: int
    sampled: bool


class Difference(NamedTuple):
    """One row on which two readings differ, and whether that is settled."""

    pair: Pair
    settled: bool


def open_differences(
    compared: Compared, rows: Sequence[tuple[str, Answer]], decisions: Sequence[Decision], at: After
) -> tuple[Difference, ...]:
    """Return every row that differed when both were done; `rows` are as they stand now."""
    now = dict(rows)
    return tuple(
        Difference(pair, stands_settled(pair, now.get(pair.phase), decisions, at))
        for pair in compared.pairs
        if pair.differs_in
    )


def stands_settled(
    pair: Pair, now: Answer | None, decisions: Sequence[Decision], at: After
) -> bool:
    """Say whether the difference on one row is settled by what was decided since."""
    there = [
        one
        for one in standing_decisions(decisions)
        if one.phase == pair.phase and one.kind is not Kind.COMMENT
    ]
    firsts = {one.by for one in there if one.number <= at.done_at} - {at.reader}
    since = [one for one in there if one.number > at.done_at]
    if not since or since[-1].kind is Kind.DOUBT or now is None:
        return False
    last = since[-1]
    if last.senior and last.by != at.reader and last.by not in firsts:
        return True
    if at.sampled:
        return last.by == at.reader
    if not Pair(pair.phase, now, pair.second).differs_in:
        return any(one.by in firsts for one in since)
    return last.by == at.reader
