"""Reader of Harper Valley transcripts: what people heard, on the one clock that both sides share.

``start_ms`` counts for each channel by itself and is not read; ``start_timestamp_ms`` is.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from review.core.transcript import Call, CallFindings, Records
from review.core.transcript.drafting import About, Draft
from review.core.transcript.json_files import (
    Found,
    Origin,
    Read,
    at_path,
    label_of,
    objects_in,
    read_found,
    text_in,
)
from review.core.transcript.moments import epoch_of, first_of, scaled, since, utc_text
from review.core.transcript.records import read_records

NAME = "harper-valley"
TITLE = "Harper Valley"

_KEYS = {"speaker_role", "start_timestamp_ms", "human_transcript"}


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    first = at_path(head, 0)
    return isinstance(first, Mapping) and first.keys() >= _KEYS


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read the list of a file as one call. Never raises."""
    records, findings = read or read_records(data, name=name)
    found: list[Found] = [(record.where, {"turns": record.value}) for record in records]
    return read_found(data, found, name=name, read_call=_read_call, findings=findings)


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(None)
    draft = Draft(found, frozenset({"agent", "caller"}))
    raw = value if isinstance(value, Mapping) else {}
    turns = objects_in(raw, "turns", found=found)
    zero = first_of(epoch_of(turn.get("start_timestamp_ms")) for turn in turns)
    for turn in turns:
        start = since(zero, epoch_of(turn.get("start_timestamp_ms")))
        length = scaled(turn.get("duration_ms"), "0.001") or Decimal(0)
        draft.say(
            label_of(turn.get("speaker_role")),
            text_in(turn, "human_transcript", "transcript"),
            start=start,
            end=None if start is None or not length else start + length,
        )
    source = origin.source(NAME, identity)
    return draft.finish(About(source=source, started_at=utc_text(zero))), found
