"""Read functions of review. Nothing here opens a seal: only `actions.opening` reads words."""

from review.queries.calls import (
    CallLine,
    CallList,
    RunLine,
    StoredCall,
    get_call_for,
    list_calls,
)
from review.queries.cascades import cascade_of
from review.queries.judged import count_judged_calls
from review.queries.reach import readable_sites
from review.queries.runs import (
    RunCount,
    count_runs,
    lease_of,
    list_unqueued_calls,
    list_waiting_calls,
)

__all__ = [
    "CallLine",
    "CallList",
    "RunCount",
    "RunLine",
    "StoredCall",
    "cascade_of",
    "count_judged_calls",
    "count_runs",
    "get_call_for",
    "lease_of",
    "list_calls",
    "list_unqueued_calls",
    "list_waiting_calls",
    "readable_sites",
]
