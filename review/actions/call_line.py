"""A call's line in the lists: kept on the call by whoever changes what it is made of.

Parts of actions, inside their transaction and under their lock on the call (docs/adr/0011).
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.conf import settings
from django.db.models import F

from catalogs.core.findings import Finding
from review.core.cascade.triage import FlagCode
from review.core.decisions import Standing
from review.core.evaluation import Report, focus_turn
from review.core.queue import (
    BLIND_CLASSES,
    RowAsked,
    Second,
    is_sampled,
    place_call,
    troubled_edge,
)
from review.core.transcript import Call as CallValue
from review.models import Call, Evaluation, PhaseRow
from review.queries.reports import read_report
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
    if is_blind(call):
        _say_nothing(call)


def write_line_again(call: Call) -> None:
    """Write the line of a call by its stored rows, where what may be said of it has changed."""
    found = Evaluation.objects.filter(
        call=call,
        transcript_digest=call.transcript_digest,
        catalog_digest=call.catalog_version.digest if call.catalog_version else "",
    ).order_by(F("decision_id").desc(nulls_last=True), "-made_at", "-id")
    text = found.values_list("report", flat=True).first()
    if text is None:
        return
    rows = {row["phase"]: row for row in _stored_rows(call)}
    flags = {phase: row["flags"] for phase, row in rows.items()}
    write_line(call, flags, read_report(text), rows)
    call.save(update_fields=list(LINE_COLUMNS))


def place_again(call: Call) -> None:
    """Keep the class that a call has in the queue by its stored rows, where no value changed."""
    _place(call, [_row(row["phase"], row["flags"], row) for row in _stored_rows(call)])
    call.save(update_fields=["queue_class", "queue_phase", "queue_code"])


def is_blind(call: Call) -> bool:
    """Say whether a call is yet to be read blind, or is being read so: its line says nothing."""
    return call.queue_class in BLIND_CLASSES


def _say_nothing(call: Call) -> None:
    """Leave of a line what the file said: lists, filters, counts and searches read nothing else."""
    call.coverage = call.order_safe = call.call_success = None
    call.flagged = call.critical = 0
    call.row_flags = []
    call.focus_turn = call.queue_edge = None
    call.queue_phase = call.queue_code = ""
    codes = (one["code"] for one in call.findings)
    call.search = stored_words((call.external_id, call.title, *codes))


def _stored_rows(call: Call) -> list[dict[str, Any]]:
    columns = ("phase", "flags", "standing", "needs_second")
    return list(PhaseRow.objects.filter(call=call).order_by("position").values(*columns))


def _row(phase: str, codes: Collection[str], marks: Mapping[str, Any]) -> RowAsked:
    standing = Standing(marks.get("standing", Standing.PROPOSED.value))
    return RowAsked(phase, codes, standing, marks.get("needs_second", False))


def _place(call: Call, rows: Iterable[RowAsked]) -> None:
    second = Second(call.second_reading)
    placed = place_call(rows, sampled=is_sampled(call.pk, sample_key()), second=second)
    call.queue_class = placed.kind.value
    call.queue_phase, call.queue_code = placed.phase, placed.code


def sample_key() -> bytes:
    """Return the key of the draws of calls that are read blind, made from the site's secret."""
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
