"""Reader of Amazon Connect Contact Lens (``Transcript`` with ``ParticipantId``).

As Call Analytics, with participants by id. Redacted copies hide the very words that prove an
identity behind marks such as ``[PII]``; such turns are noted.
"""

from __future__ import annotations

from review.core.transcript import Call, CallFindings, Records
from review.core.transcript.contact_turns import read_contact_turns
from review.core.transcript.drafting import About
from review.core.transcript.json_files import Origin, Read, at_path, object_of, read_json_calls

NAME = "contact-lens"
TITLE = "Amazon Connect Contact Lens"


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0])
    turn = at_path(head, "Transcript", 0)
    return at_path(turn, "BeginOffsetMillis") is not None and bool(at_path(turn, "ParticipantId"))


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read every transcript of a file. Never raises."""
    return read_json_calls(data, name=name, read=read, read_call=_read_call)


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(at_path(value, "CustomerMetadata", "ContactId"))
    draft = read_contact_turns(object_of(value, found), "ParticipantId", found)
    language = at_path(value, "LanguageCode")
    about = About(
        source=origin.source(NAME, identity),
        language=language if isinstance(language, str) else None,
    )
    return draft.finish(about), found
