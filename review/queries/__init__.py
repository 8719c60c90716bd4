"""Read functions of review. Nothing here opens a seal: only `actions.opening` reads words."""

from review.queries.call_counts import CallCounts
from review.queries.call_lines import CallLine
from review.queries.calls import RunLine, StoredCall, get_call_for
from review.queries.calls_list import AGES, CallList, Narrowing, Place, SiteName, list_calls
from review.queries.cascades import cascade_of
from review.queries.judged import count_judged_calls
from review.queries.reach import readable_sites
from review.queries.runs import (
    RunCount,
    Waiting,
    batch_waits,
    count_runs,
    count_waiting,
)
from review.queries.workers import WorkerLife, worker_life

__all__ = [
    "AGES",
    "CallCounts",
    "CallLine",
    "CallList",
    "Narrowing",
    "Place",
    "RunCount",
    "RunLine",
    "SiteName",
    "StoredCall",
    "Waiting",
    "WorkerLife",
    "batch_waits",
    "cascade_of",
    "count_judged_calls",
    "count_runs",
    "count_waiting",
    "get_call_for",
    "list_calls",
    "readable_sites",
    "worker_life",
]
