"""A test written down from what comes out of a call, or from what stands of a past one."""

from __future__ import annotations

from collections.abc import Mapping

from catalogs.core.document import Document
from review.core.cascade.pipeline import prepare
from review.core.evaluation import judge_call
from review.core.rehearsal.expecting import OUTCOMES, row_words
from review.core.rehearsal.runs import STORED
from review.core.row_values import point_to_json
from review.core.rows import Point, Verdict
from review.core.transcript import Call


class NothingToExpect(Exception):
    """No row of the call can be a test of this catalog; the sentence says why."""


def standing_test(
    document: Document,
    call_id: str,
    rows: Mapping[str, tuple[Point, Point, Verdict]],
    required: Mapping[str, bool | None],
) -> dict[str, object]:
    """Return an entry for the catalog's tests that expects a past call's rows as they stand.

    It has the call's id, turns and verdicts, and no word of it. Rows that nobody could tell so far
    expect nothing. Raises NothingToExpect where no row is left.
    """
    own = [phase.id for phase in document.phases if phase.id in rows]
    expect: dict[str, object] = {}
    for phase in own:
        start, finish, verdict = rows[phase]
        if verdict is not Verdict.UNKNOWN:
            expect[phase] = [point_to_json(start), point_to_json(finish), verdict.value]
    if not expect:
        raise NothingToExpect(
            "No row of this call is decided for a phase of the draft, so there is nothing to "
            "expect; choose another call."
        )
    owed = {phase: required.get(phase) for phase in own}
    expect["required"] = {phase: one for phase, one in owed.items() if one is not None}
    return {"call": f"{STORED}{call_id}", "expect": expect}


def recorded_test(document: Document, call: Call, name: str) -> dict[str, object]:
    """Return an entry for the catalog's tests that the call meets as it is judged now.

    `name` is the file's, by which the test finds its call. What is recorded is what came out, not
    what is right: its author reads it.
    """
    report = judge_call(call, prepare(document)).report
    expect: dict[str, object] = {
        phase.id: list(row_words(report, phase.id)) for phase in document.phases
    }
    for key in OUTCOMES:
        expect[key] = getattr(report, key)
    return {"call": name, "id": call.source.external_id, "expect": expect}
