"""From proposals and decisions to what is stored of them: evaluation, rows, the call's line.

Parts of actions, inside their transaction and under their lock on the call.
"""

from __future__ import annotations

from datetime import datetime
from uuid import uuid5

from oipsce_site.rows import change_row
from review.actions.call_line import LINE_COLUMNS, write_line
from review.actions.proposals import Finished, Projected, project_rows, store_evaluations
from review.core.evaluation import Judged, judge_shown
from review.core.transcript import Call as CallValue
from review.models import Call, Decision, Evaluation
from review.queries.cascades import cascade_of
from review.queries.folded import Folded, load_folded, row_marks
from review.queries.standing import load_standing


def refold(stored: Call, call: CallValue, at: datetime) -> Evaluation | None:
    """Evaluate a call once more with the decisions it has, where a new pre-fill is done.

    Returns that evaluation; None where nobody has decided anything.
    """
    last = Decision.objects.filter(call=stored).order_by("number").last()
    folded = None if last is None else load_folded(stored)
    if last is None or folded is None:
        return None
    return store_folded(stored, folded, judge_folded(call, folded), last, at)


def judge_folded(call: CallValue, folded: Folded) -> Judged:
    """Judge the rows and facts as folded, by the catalog and the findings of their run."""
    cascade = cascade_of(folded.run.catalog_digest)
    return judge_shown(call, cascade, folded.shown, findings=folded.proposed.findings)


def store_folded(
    stored: Call, folded: Folded, judged: Judged, decision: Decision, at: datetime
) -> Evaluation:
    """Store the evaluation of the folded rows, and project them."""
    name = uuid5(stored.id, f"{folded.run.id}:{decision.number}")
    finished = Finished(folded.run, stored, judged, name, decision)
    [evaluation] = store_evaluations([finished], at)
    project_folded(stored, folded, judged)
    return evaluation


def project_folded(stored: Call, folded: Folded, judged: Judged) -> None:
    """Write every row as folded, and the call's line."""
    report = judged.report
    marks = {row.phase: row_marks(folded, row.phase) for row in report.rows}
    [standing] = project_rows([Projected(stored.id, report, marks, load_standing(stored.id))])
    write_line(stored, standing.flags, report, marks)
    change_row(stored, LINE_COLUMNS)
