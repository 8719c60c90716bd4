"""Reader of Twilio's Voice Intelligence sentences.

Who speaks is a number of a channel; which side that is, no sentence says. Times are texts of
seconds. A file that is one page of several is reported.
"""

from __future__ import annotations

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
from review.core.transcript.moments import number_of
from review.core.transcript.speech import Segment, say_segments

NAME = "twilio-sentences"
TITLE = "Twilio Voice Intelligence"


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0])
    return at_path(head, "sentences", 0, "media_channel") is not None


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read every transcript of a file. Never raises."""
    return read_json_calls(data, name=name, read=read, read_call=_read_call)


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(at_path(value, "sentences", 0, "transcript_sid"))
    raw = object_of(value, found)
    draft = Draft(found)
    say_segments(
        (
            Segment(
                label_of(one.get("media_channel"), "channel "),
                text_in(one, "transcript"),
                number_of(one.get("start_time")),
                number_of(one.get("end_time")),
            )
            for one in objects_in(raw, "sentences", found=found)
        ),
        draft,
    )
    if at_path(raw, "meta", "next_page_url"):
        text = "The file is one page of several; the rest of the call is missing. Join the pages."
        found.warn("more_pages", "meta", text)
    return draft.finish(About(source=origin.source(NAME, identity))), found
