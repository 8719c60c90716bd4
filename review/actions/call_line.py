"""A call's line in the lists: kept on the call by whoever changes what it is made of.

Parts of actions, inside their transaction and under their lock on the call (docs/adr/0011).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from catalogs.core.findings import Finding
from review.core.cascade.triage import FlagCode
from review.core.evaluation import Report, focus_turn
from review.core.transcript import Call as CallValue
from review.models import Call, PhaseRow
from review.queries.search_words import stored_words

#: What `write_line` sets.
LINE_COLUMNS = (
    *("coverage", "order_safe", "call_success", "flagged", "critical", "row_flags"),
    *("focus_turn", "search"),
)


def first_words(call: CallValue, findings: Iterable[Finding]) -> str:
    """Return the words of a call that has no rows yet, for its column `search`."""
    codes = (finding.code for finding in findings)
    return stored_words((call.source.external_id, call.title, *codes))


def write_line(call: Call, flags: Mapping[str, Collection[str]], report: Report) -> None:
    """Keep on the call what lists show of its rows as they stand and of its latest evaluation.

    `flags` are those of each row, by phase. The caller saves `LINE_COLUMNS`.
    """
    findings = (*(one["code"] for one in call.findings), *(one.code for one in report.findings))
    call.coverage = report.coverage.upper()
    call.order_safe = report.order_safe.upper()
    call.call_success = report.call_success.upper()
    _count_flags(call, flags.values())
    call.focus_turn = focus_turn(report)
    call.search = stored_words((call.external_id, call.title, *flags, *call.row_flags, *findings))


def clear_line(call: Call) -> None:
    """Keep nothing of an evaluation on a call that has none by now; its touched rows still count.

    What it is found by stays until the next pre-fill writes the line anew.
    """
    call.coverage = call.order_safe = call.call_success = None
    _count_flags(call, list(PhaseRow.objects.filter(call=call).values_list("flags", flat=True)))
    call.focus_turn = None
    call.save(update_fields=[name for name in LINE_COLUMNS if name != "search"])


def _count_flags(call: Call, flags: Collection[Collection[str]]) -> None:
    """Set what lists show of the flags of a call's rows; `flags` has one collection a row."""
    call.flagged = sum(1 for codes in flags if codes)
    call.critical = sum(FlagCode.SAFETY_CRITICAL.value in codes for codes in flags)
    call.row_flags = sorted({code for codes in flags for code in codes})
