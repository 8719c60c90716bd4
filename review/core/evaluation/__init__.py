"""The evaluation of a call: decision, reasons and diagnostics as one stable record."""

from review.core.evaluation.building import build_report
from review.core.evaluation.encoding import report_from_json, report_to_json
from review.core.evaluation.live import LiveState, live_state
from review.core.evaluation.report import (
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

#: Part of every result's identity: it changes when the same input may be judged differently (S36).
ENGINE_VERSION = "oip-engine/1"

__all__ = [
    "ENGINE_VERSION",
    "AttemptReport",
    "CatalogName",
    "EdgeReport",
    "EvidenceReport",
    "FlagReport",
    "InstanceReport",
    "ItemReport",
    "LiveState",
    "Report",
    "RowReport",
    "build_report",
    "live_state",
    "report_from_json",
    "report_to_json",
]
