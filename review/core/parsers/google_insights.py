"""Reader of conversations for Google's CCAI Insights (``entries``), times in microseconds."""

from __future__ import annotations

from collections.abc import Mapping

from review.core.transcript import Call, CallFindings, Records
from review.core.transcript.drafting import About, Draft
from review.core.transcript.json_files import (
    Origin,
    Read,
    at_path,
    label_of,
    object_of,
    objects_in,
    read_json_calls,
    text_in,
)
from review.core.transcript.moments import epoch_of, first_of, since, utc_text

NAME = "google-insights"
TITLE = "Google CCAI Insights"

_TIME = "start_timestamp_usec"


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0])
    entry = at_path(head, "entries", 0)
    return isinstance(entry, Mapping) and _TIME in entry and "text" in entry


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read every conversation of a file. Never raises."""
    return read_json_calls(data, name=name, read=read, read_call=_read_call)


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(None)
    draft = Draft(found)
    entries = objects_in(object_of(value, found), "entries", found=found)
    zero = first_of(epoch_of(entry.get(_TIME)) for entry in entries)
    for entry in entries:
        start = since(zero, epoch_of(entry.get(_TIME)))
        draft.say(label_of(entry.get("role")), text_in(entry, "text"), start=start)
    source = origin.source(NAME, identity)
    return draft.finish(About(source=source, started_at=utc_text(zero))), found
