"""The call page: the page itself, and the decisions that are taken on it."""

from review.views.call.decisions import (
    confirm_rest,
    decide_fact,
    decide_row,
    decision_redone,
    decision_undone,
    fact_decided,
    rest_confirmed,
    row_decided,
    row_desk,
)
from review.views.call.masking import hide, reveal
from review.views.call.page import call
from review.views.call.vcon import call_vcon

__all__ = [
    "call",
    "call_vcon",
    "confirm_rest",
    "decide_fact",
    "decide_row",
    "decision_redone",
    "decision_undone",
    "fact_decided",
    "hide",
    "rest_confirmed",
    "reveal",
    "row_decided",
    "row_desk",
]
