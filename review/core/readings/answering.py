"""What a blind reader says of one row, from nothing: required, start, finish, verdict, evidence."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from review.core.row_values import point_from_json, point_to_json
from review.core.rows import NEVER, Evidence, Point, Row, Verdict

Plain = dict[str, Any]


class Refused(Exception):
    """The answer makes no sense as given; `field` names what to correct (empty: the whole)."""

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


class EvidenceSpan(NamedTuple):
    """Words that show an acceptance item: code points [start, end) of a turn."""

    item: str
    turn: int
    start: int
    end: int


class Answer(NamedTuple):
    """One row as a blind reader reads it; `required` None is "cannot be told"."""

    required: bool | None
    start: Point
    finish: Point
    verdict: Verdict
    evidence: tuple[EvidenceSpan, ...] = ()

    def as_row(self, phase: str, reader: str) -> Row:
        """Return the row that the predicates judge."""
        source = f"person:{reader}"
        pieces = tuple(Evidence(*one, source) for one in self.evidence)
        return Row(phase, self.start, self.finish, self.verdict, pieces)


def check_answer(
    answer: Answer, lengths: Mapping[int, int], items: Collection[str], *, ended: bool
) -> None:
    """Check that an answer makes sense as a whole. Raises Refused with the field to correct.

    `lengths` are the characters of every turn, `items` the acceptance items of the phase.
    """
    _check_points(answer, lengths, ended=ended)
    for one in answer.evidence:
        if one.item not in items:
            raise Refused("The catalog has no such acceptance item. Load the page again.")
        if not 0 <= one.start < one.end <= lengths.get(one.turn, 0):
            raise Refused("The evidence does not lie in its turn.", f"words_{one.item}")
    if answer.verdict is Verdict.PASS:
        if not isinstance(answer.finish, int):
            raise Refused(
                "A pass needs the turn on which the phase was complete: write it down.", "finish"
            )
        if not answer.evidence:
            raise Refused("A pass needs evidence: copy the words that show an item.", "verdict")
    if answer.verdict is Verdict.FAIL and isinstance(answer.finish, int):
        raise Refused("What failed was never complete: write never for the finish.", "finish")


def _check_points(answer: Answer, lengths: Mapping[int, int], *, ended: bool) -> None:
    for field, point in (("start", answer.start), ("finish", answer.finish)):
        if isinstance(point, int) and point not in lengths:
            ends = f" It has turns {min(lengths)} to {max(lengths)}." if lengths else ""
            raise Refused(f"The call has no turn {point}.{ends}", field)
        if point is NEVER and not ended:
            raise Refused(
                "It is not known that the call has ended, so nothing is missing for ever yet. "
                "Write ? instead.",
                field,
            )
    start, finish = answer.start, answer.finish
    if not isinstance(finish, int):
        return
    if start is NEVER:
        raise Refused(f"What was finished at turn {finish} was also entered at some turn.", "start")
    if isinstance(start, int) and finish < start:
        raise Refused(f"The finish would come before the start, turn {start}.", "finish")


def answer_to_json(answer: Answer) -> Plain:
    """Write an answer as plain values: codes, numbers and spans, no words of the call."""
    return {
        "required": answer.required,
        "start": point_to_json(answer.start),
        "finish": point_to_json(answer.finish),
        "verdict": answer.verdict.value,
        "evidence": [list(one) for one in answer.evidence],
    }


def answer_from_json(plain: Mapping[str, Any]) -> Answer:
    """Read an answer back. Raises KeyError, TypeError or ValueError for another shape."""
    return Answer(
        plain["required"],
        point_from_json(plain["start"]),
        point_from_json(plain["finish"]),
        Verdict(plain["verdict"]),
        tuple(EvidenceSpan(*one) for one in plain["evidence"]),
    )
