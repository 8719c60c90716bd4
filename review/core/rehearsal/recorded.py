"""A test written down from what comes out: every row of a call and its results, as `expect`."""

from __future__ import annotations

from catalogs.core.document import Document
from review.core.cascade.pipeline import prepare
from review.core.evaluation import judge_call
from review.core.rehearsal.expecting import OUTCOMES, row_words
from review.core.transcript import Call


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
