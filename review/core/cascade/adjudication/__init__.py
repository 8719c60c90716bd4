"""The adjudicator: what a language model may be asked of a row that anchors and rules left open,
and what its answer may become: spans to look at, marked as the model's. Never a verdict, a start, a
finish or a requirement: nothing here makes a row. Source: engine.md 6, the guard rules.
"""

from review.core.cascade.adjudication.answers import Answer, Proposal, agree, read_reply
from review.core.cascade.adjudication.limits import (
    Attempted,
    Caps,
    Spent,
    is_shown_blind,
    may_be_paid,
    over_cap,
    paused_by,
    retry_wait,
)
from review.core.cascade.adjudication.questions import Question, models_for, questions_of
from review.core.cascade.adjudication.reasons import Flagged, Reason, flag_of, say_reason
from review.core.cascade.adjudication.variants import Said, Variant, is_flipped, said_of, vary
from review.core.cascade.adjudication.wording import (
    PROMPT_VERSION,
    Asked,
    asking_digest,
    estimate_tokens,
    is_suspect,
    request_key,
    system_digest,
    write_request,
)

__all__ = [
    "PROMPT_VERSION",
    "Answer",
    "Asked",
    "Attempted",
    "Caps",
    "Flagged",
    "Proposal",
    "Question",
    "Reason",
    "Said",
    "Spent",
    "Variant",
    "agree",
    "asking_digest",
    "estimate_tokens",
    "flag_of",
    "is_flipped",
    "is_shown_blind",
    "is_suspect",
    "may_be_paid",
    "models_for",
    "over_cap",
    "paused_by",
    "questions_of",
    "read_reply",
    "request_key",
    "retry_wait",
    "said_of",
    "say_reason",
    "system_digest",
    "vary",
    "write_request",
]
