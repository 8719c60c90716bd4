"""The line of a signature for compliance pages: a part of what signs, inside its transaction."""

from __future__ import annotations

from review.actions.call_line import sample_key
from review.actions.signed_content import NothingToSign
from review.core.compliance.marks import marks_of
from review.core.compliance.samples import selection_of
from review.core.evaluation import Report
from review.core.queue import is_sampled
from review.models import Call, Evaluation, SelectionCode, SignedLine, SignOff
from review.queries.reports import read_report


def keep_signed_line(stored: Call, signed: SignOff) -> None:
    """Keep what lists and counts say of a signature that was just made; `stored` is locked.

    Raises NothingToSign for a call without a catalog, which nobody can have signed.
    """
    if stored.catalog_version_id is None:
        raise NothingToSign("The call has no catalog, so there is nothing that was signed.")
    evaluation = signed.evaluation
    marks = marks_of(_report(evaluation))
    SignedLine.objects.create(
        signoff=signed,
        call=stored,
        site_id=stored.site_id,
        catalog_version_id=stored.catalog_version_id,
        by_id=signed.by_id,
        at=signed.at,
        day=stored.call_date or stored.received_at.date(),
        selection=_selection(stored, evaluation),
        coverage=evaluation.coverage,
        order_safe=evaluation.order_safe,
        call_success=evaluation.call_success,
        judged=list(marks.judged),
        failed=list(marks.failed),
    )


def _selection(stored: Call, evaluation: Evaluation) -> SelectionCode:
    """Say how the call was selected: by the draw, else by the flags that its pre-fill set."""
    proposed = evaluation
    if evaluation.decision_id is not None:
        proposed = Evaluation.objects.get(run=evaluation.run_id, decision=None)
    flagged = any(row.flags for row in _report(proposed).rows)
    chosen = selection_of(drawn=is_sampled(stored.pk, sample_key()), flagged=flagged)
    return SelectionCode(chosen.value)


def _report(evaluation: Evaluation) -> Report:
    return read_report(evaluation.report)
