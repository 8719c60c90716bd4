"""Read functions of review. Nothing here opens a seal: only `actions.opening` reads words."""

from review.queries.call_counts import CallCounts
from review.queries.call_lines import CallLine
from review.queries.calls import RunLine, StoredCall, get_call_for
from review.queries.calls_list import AGES, CallList, Narrowing, Place, SiteName, list_calls
from review.queries.cascades import cascade_of
from review.queries.reach import readable_sites
from review.queries.runs import (
    RunCount,
    count_runs,
    lease_of,
    list_unqueued_calls,
    list_waiting_calls,
)

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
    "cascade_of",
    "count_runs",
    "get_call_for",
    "lease_of",
    "list_calls",
    "list_unqueued_calls",
    "list_waiting_calls",
    "readable_sites",
]
