"""Text dialogs of a vCon as turns: who, words in their encodings, start and length."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from decimal import Decimal
from email import message_from_string
from typing import Any

from review.core.parsers.vcon.parties import Parties
from review.core.transcript import CallFindings, refuse_unstorable
from review.core.transcript.drafting import Draft, parsed
from review.core.transcript.json_files import text_in
from review.core.transcript.moments import Moment, moment_of, number_of, since

Spoken = tuple[Mapping[str, Any], str]


def spoken_dialogs(dialogs: list[Mapping[str, Any]], found: CallFindings) -> list[Spoken]:
    """Return the text dialogs that hold words, with them; other kinds are noted once each."""
    spoken = []
    others: dict[str, int] = {}
    for dialog in dialogs:
        text = body_text(dialog) if dialog.get("type") == "text" else ""
        if text.strip():
            spoken.append((dialog, text))
        else:
            kind = str(dialog.get("type"))[:40]
            others[kind] = others.get(kind, 0) + 1
    for kind, count in others.items():
        text = f"{count} dialogs of the type {kind} hold no words and were not read."
        found.note("dialog_not_read", "dialog", text)
    return spoken


def say_dialogs(spoken: list[Spoken], parties: Parties, zero: Moment | None, draft: Draft) -> None:
    """Add dialogs as turns in the order of the file."""
    for dialog, text in spoken:
        # Out of base64 or a message's part it may hold what JSON did not show.
        refuse_unstorable(text, where=draft.found.where)
        start = since(zero, moment_of(dialog.get("start")))
        length = number_of(dialog.get("duration"))
        draft.say(parties.speaker(_party_of(dialog)), text, start=start, end=_end(start, length))


def body_text(dialog: Mapping[str, Any]) -> str:
    """Return the words of a body: as they are, out of JSON, base64url or the parts of a message."""
    body = dialog.get("body")
    if dialog.get("encoding") == "json" and isinstance(body, str):
        body = parsed(body)
    if not isinstance(body, str):
        return ""
    if dialog.get("encoding") == "base64url":
        body = _decoded(body)
    kind = text_in(dialog, "mediatype", "mimetype")
    return _plain_part(kind, body) if kind.lower().startswith("multipart/") else body


def _party_of(dialog: Mapping[str, Any]) -> object:
    """Return the place of who speaks: the originator, else the first of the parties."""
    if dialog.get("originator") is not None:
        return dialog["originator"]
    place = dialog.get("parties")
    while isinstance(place, list):
        place = place[0] if place else None
    return place


def _end(start: Decimal | None, length: Decimal | None) -> Decimal | None:
    # A length of zero says only that the source keeps none.
    return None if start is None or not length else start + length


def _decoded(body: str) -> str:
    try:
        padded = body + "=" * (-len(body) % 4)
        return base64.urlsafe_b64decode(padded).decode("utf-8")
    except (ValueError, binascii.Error):
        return ""


def _plain_part(kind: str, body: str) -> str:
    """Return the first plain text of a message in parts, or nothing."""
    try:
        head = " ".join(kind.split())
        for part in message_from_string(f"Content-Type: {head}\n\n{body}").walk():
            if part.get_content_type() == "text/plain":
                payload = part.get_payload(decode=True)
                charset = part.get_content_charset() or "utf-8"
                if isinstance(payload, bytes):
                    return payload.decode(charset, "replace")
    except (LookupError, ValueError, TypeError, RecursionError):
        return ""
    return ""
