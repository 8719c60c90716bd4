"""Reader of AWS Transcribe Call Analytics (``Transcript`` with ``ParticipantRole``).

The two roles are the source's own words, and a machine on the line shares one with a person: a
person says once who they are. Times are milliseconds of the recording.
"""

from __future__ import annotations

from review.core.transcript import Call, CallFindings, Records
from review.core.transcript.contact_turns import read_contact_turns
from review.core.transcript.drafting import About
from review.core.transcript.json_files import Origin, Read, at_path, object_of, read_json_calls

NAME = "aws-call-analytics"
TITLE = "AWS Call Analytics"


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0])
    turn = at_path(head, "Transcript", 0)
    return at_path(turn, "BeginOffsetMillis") is not None and not at_path(turn, "ParticipantId")


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read every transcript of a file. Never raises."""
    return read_json_calls(data, name=name, read=read, read_call=_read_call)


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(at_path(value, "JobName"))
    draft = read_contact_turns(object_of(value, found), "ParticipantRole", found)
    language = at_path(value, "LanguageCode")
    about = About(
        source=origin.source(NAME, identity),
        language=language if isinstance(language, str) else None,
    )
    return draft.finish(about), found
