"""A call's line in the lists: kept on the call by whoever changes what it is made of.

Parts of actions, inside their transaction and under their lock on the call (docs/adr/0011).
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.conf import settings

from catalogs.core.findings import Finding
from review.core.cascade.triage import FlagCode
from review.core.decisions import Standing
from review.core.evaluation import Report, focus_turn
from review.core.queue import RowAsked, is_sampled, place_call, troubled_edge
from review.core.transcript import Call as CallValue
from review.models import Call, PhaseRow
from review.queries.search_words import stored_words

#: What `write_line` sets.
LINE_COLUMNS = (
    *("coverage", "order_safe", "call_success", "flagged", "critical", "row_flags"),
    *("focus_turn", "search", "queue_class", "queue_phase", "queue_code", "queue_edge"),
)

_NO_MARKS: Mapping[str, Mapping[str, Any]] = {}


def first_words(call: CallValue, findings: Iterable[Finding]) -> str:
    """Return the words of a call that has no rows yet, for its column `search`."""
    codes = (finding.code for finding in findings)
    return stored_words((call.source.external_id, call.title, *codes))


def write_line(
    call: Call,
    flags: Mapping[str, Collection[str]],
    report: Report,
    marks: Mapping[str, Mapping[str, Any]] = _NO_MARKS,
) -> None:
    """Keep on the call what lists show of its rows as they stand and of its latest evaluation.

    `flags` are those of each row, by phase, and `marks` what people left on it, as
    `queries.folded.row_marks` says; a row without is proposed. The caller saves `LINE_COLUMNS`.
    """
    findings = (*(one["code"] for one in call.findings), *(one.code for one in report.findings))
    call.coverage = report.coverage.upper()
    call.order_safe = report.order_safe.upper()
    call.call_success = report.call_success.upper()
    _count_flags(call, flags.values())
    call.focus_turn = focus_turn(report)
    call.search = stored_words((call.external_id, call.title, *flags, *call.row_flags, *findings))
    edge = troubled_edge(report)
    call.queue_edge = None if edge is None else edge._asdict()
    _place(call, [_row(phase, codes, marks.get(phase, {})) for phase, codes in flags.items()])


def place_again(call: Call) -> None:
    """Keep the class that a call has in the queue by its stored rows, where no value changed."""
    columns = ("phase", "flags", "standing", "needs_second")
    rows = PhaseRow.objects.filter(call=call).order_by("position").values(*columns)
    _place(call, [_row(row["phase"], row["flags"], row) for row in rows])
    call.save(update_fields=["queue_class", "queue_phase", "queue_code"])


def _row(phase: str, codes: Collection[str], marks: Mapping[str, Any]) -> RowAsked:
    standing = Standing(marks.get("standing", Standing.PROPOSED.value))
    return RowAsked(phase, codes, standing, marks.get("needs_second", False))


def _place(call: Call, rows: Iterable[RowAsked]) -> None:
    placed = place_call(rows, sampled=is_sampled(call.pk, sample_key()))
    call.queue_class = placed.kind.value
    call.queue_phase, call.queue_code = placed.phase, placed.code


def sample_key() -> bytes:
    """Return the key of the draw of calls that are read blind, made from the site's secret."""
    return hashlib.sha256(b"oip-sce/sample-key/v1\0" + settings.SECRET_KEY.encode()).digest()


def clear_line(call: Call) -> None:
    """Keep nothing of an evaluation on a call that has none by now; its touched rows still count.

    What it is found by stays until the next pre-fill writes the line anew.
    """
    call.coverage = call.order_safe = call.call_success = None
    _count_flags(call, list(PhaseRow.objects.filter(call=call).values_list("flags", flat=True)))
    call.focus_turn = call.queue_class = call.queue_edge = None
    call.queue_phase = call.queue_code = ""
    call.save(update_fields=[name for name in LINE_COLUMNS if name != "search"])


def _count_flags(call: Call, flags: Collection[Collection[str]]) -> None:
    """Set what lists show of the flags of a call's rows; `flags` has one collection a row."""
    call.flagged = sum(1 for codes in flags if codes)
    call.critical = sum(FlagCode.SAFETY_CRITICAL.value in codes for codes in flags)
    call.row_flags = sorted({code for codes in flags for code in codes})
