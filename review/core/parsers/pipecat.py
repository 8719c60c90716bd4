"""Reader of Pipecat turns written one on a line: role, content and when the turn started.

Words that a program speaks past the language model (a greeting, a disclosure) never reach these
lines, so that a phase may look missing although it was said; that is reported for every call.
"""

from __future__ import annotations

from collections.abc import Mapping

from review.core.transcript import Call, CallFindings, Records
from review.core.transcript.acts import text_of
from review.core.transcript.drafting import About, Draft
from review.core.transcript.json_files import (
    Origin,
    Read,
    objects_in,
    read_found,
)
from review.core.transcript.moments import first_of, moment_of, since, utc_text
from review.core.transcript.records import read_records

NAME = "pipecat"
TITLE = "Pipecat"

_SPEAKERS = ("user", "assistant")


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0])
    return (
        isinstance(head, Mapping)
        and head.get("role") in _SPEAKERS
        and "content" in head
        and moment_of(head.get("timestamp")) is not None
    )


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read the lines, or the list, of a file as one call. Never raises."""
    records, findings = read or read_records(data, name=name)
    values = [record.value for record in records]
    if len(values) == 1 and isinstance(values[0], list):
        values = values[0]
    found = [(name, {"turns": values})] if values else []
    return read_found(data, found, name=name, read_call=_read_call, findings=findings)


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(None)
    raw = value if isinstance(value, Mapping) else {}
    draft = Draft(found, frozenset(_SPEAKERS))
    turns = objects_in(raw, "turns", found=found)
    zero = first_of(moment_of(turn.get("timestamp")) for turn in turns)
    for k, turn in enumerate(turns, 1):
        role = turn.get("role")
        number = draft.say(
            role if isinstance(role, str) else "",
            text_of(turn.get("content"), f"line {k}", found),
            start=since(zero, moment_of(turn.get("timestamp"))),
        )
        if turn.get("interrupted") is True:
            text = f"Turn {number} was interrupted; its last words may never have been spoken."
            found.warn("text_not_spoken_possible", f"line {k}", text, turn=number)
    text = (
        "Words that were spoken past the language model are not in this file; what looks missing "
        "may have been said. Listen to the recording."
    )
    found.warn("speech_not_logged_possible", "", text)
    if zero is not None and zero.is_naive:
        text = "The times do not say their offset from UTC; the start of the call is unknown."
        found.warn("naive_timestamp", "", text)
    source = origin.source(NAME, identity)
    return draft.finish(About(source=source, started_at=utc_text(zero))), found
