"""Calls as values: the types, and what every reader of a call file shares (bytes, JSON, limits,
times, roles).
"""

from review.core.transcript.decoding import (
    MAX_BYTES,
    Decoded,
    RefusedInput,
    decode,
    normalise_newlines,
)
from review.core.transcript.gathering import CallFindings
from review.core.transcript.model import (
    ORDER_AFFECTING,
    Attribute,
    Call,
    Event,
    EventSource,
    ListItem,
    Scalar,
    Source,
    Speaker,
    Turn,
    TurnKind,
)
from review.core.transcript.pairing import ToolCall, ToolResult, outcome, pair_tool_events
from review.core.transcript.records import (
    MAX_CALLS,
    MAX_NESTING,
    Record,
    call_digest,
    parse_json,
    read_records,
    refuse_too_many_calls,
    refuse_unstorable,
)
from review.core.transcript.roles import apply_role_map, propose_role_map
from review.core.transcript.timing import milliseconds, observe_times
from review.core.transcript.turns import (
    MAX_CHARACTERS,
    MAX_TURNS,
    finish_call,
    refuse_too_many_turns,
    stored_text,
)

__all__ = [
    "MAX_BYTES",
    "MAX_CALLS",
    "MAX_CHARACTERS",
    "MAX_NESTING",
    "MAX_TURNS",
    "ORDER_AFFECTING",
    "Attribute",
    "Call",
    "CallFindings",
    "Decoded",
    "Event",
    "EventSource",
    "ListItem",
    "Record",
    "RefusedInput",
    "Scalar",
    "Source",
    "Speaker",
    "ToolCall",
    "ToolResult",
    "Turn",
    "TurnKind",
    "apply_role_map",
    "call_digest",
    "decode",
    "finish_call",
    "milliseconds",
    "normalise_newlines",
    "observe_times",
    "outcome",
    "pair_tool_events",
    "parse_json",
    "propose_role_map",
    "read_records",
    "refuse_too_many_calls",
    "refuse_too_many_turns",
    "refuse_unstorable",
    "stored_text",
]
