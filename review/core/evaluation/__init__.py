"""The evaluation of a call: decision, reasons and diagnostics as one stable record."""

from review.core.evaluation.building import build_report
from review.core.evaluation.encoding import quotes_of, report_from_json, report_to_json
from review.core.evaluation.focus import focus_turn
from review.core.evaluation.judging import Judged, judge_call
from review.core.evaluation.live import LiveState, live_state
from review.core.evaluation.printing import junit_xml, report_lines
from review.core.evaluation.rejudging import judge_shown
from review.core.evaluation.report import (
    ENGINE_VERSION,
    AttemptReport,
    CatalogName,
    EdgeReport,
    EvidenceReport,
    FlagReport,
    InstanceReport,
    ItemReport,
    Report,
    RowReport,
)

__all__ = [
    "ENGINE_VERSION",
    "AttemptReport",
    "CatalogName",
    "EdgeReport",
    "EvidenceReport",
    "FlagReport",
    "InstanceReport",
    "ItemReport",
    "Judged",
    "LiveState",
    "Report",
    "RowReport",
    "build_report",
    "focus_turn",
    "judge_call",
    "judge_shown",
    "junit_xml",
    "live_state",
    "quotes_of",
    "report_from_json",
    "report_lines",
    "report_to_json",
]
