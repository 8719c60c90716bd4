"""``oip-call/1``, the only neutral format, as JSON values: reading a call and writing one.

The file's own turn numbers are kept (0 is a number). What the file does not say stays None; what
this reader does not know is reported, never lost in silence.
"""

from __future__ import annotations

from collections.abc import Mapping

from review.core.transcript import (
    Call,
    CallFindings,
    finish_call,
    observe_times,
    refuse_unstorable,
)
from review.core.transcript.fields import (
    optional_text,
    report_unknown,
    required_text,
)
from review.core.transcript.neutral.about import (
    NAME,
    read_attributes,
    read_ended,
    read_language,
    read_source,
    read_speakers,
)
from review.core.transcript.neutral.events import read_events
from review.core.transcript.neutral.sequence import read_turns
from review.core.transcript.neutral.vcon import call_to_vcon
from review.core.transcript.neutral.writing import call_to_json

__all__ = ["CALL_KEYS", "NAME", "call_to_json", "call_to_vcon", "read_call"]


CALL_KEYS = frozenset(
    [
        "format",
        "id",
        "title",
        "notice",
        "turn_base",
        "call",
        "speakers",
        "participants",
        "turns",
        "events",
        "ended",
        "started_at",
        "language",
        "source",
        "expected",
        "notes",
        "variants",
        "traps",
    ]
)


def read_call(raw: object, where: str, digest: str) -> tuple[Call, CallFindings]:
    """Read one call that is JSON already; `digest` is the SHA-256 of the bytes it came in.

    Raises RefusedInput where the call cannot be taken.
    """
    found = CallFindings(where)
    if not isinstance(raw, Mapping):
        found.refuse("not_a_call", "", "A call must be an object with id, speakers and turns.")
    refuse_unstorable(raw, where=where)
    identity = required_text(raw, "id", "", found)
    found = CallFindings(f"{where}, {identity}")
    if raw.get("format", NAME) != NAME:
        found.refuse("unknown_format", "format", f"The format must be {NAME}.")
    report_unknown(raw, CALL_KEYS, "", found)
    speakers = read_speakers(raw, found)
    turns, calls, results = read_turns(raw, speakers, found)
    observe_times(turns, found)
    call = Call(
        id=identity,
        title=optional_text(raw, "title", "", found) or identity,
        attributes=read_attributes(raw, found),
        speakers=speakers,
        turns=turns,
        events=read_events(raw, turns, calls, results, found),
        ended=read_ended(raw, found),
        source=read_source(raw, identity, digest, found),
        started_at=optional_text(raw, "started_at", "", found),
        language=read_language(raw, found),
    )
    return finish_call(call, found), found
