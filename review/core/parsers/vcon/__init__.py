"""Reader of vCons, versions 0.0.1 to 0.3.0, unsigned, with their words inside.

1. Text dialogs are turns, in the order of the file. Where there is none with words, a transcript
   among the analyses is read, in the shapes that are seen; where both are, the dialogs count.
2. Attachments with tool calls and screen events have times and no turn.
3. A vCon that this product wrote holds the rest of the call beside its dialogs; it is the same
   call again.
4. Signed and encrypted ones, and such with recordings only, are refused with the reason. No address
   found in a file is ever opened.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from review.core.parsers.vcon.analyses import say_transcripts
from review.core.parsers.vcon.attachments import embedded_call, events_beside
from review.core.parsers.vcon.dialogs import say_dialogs, spoken_dialogs
from review.core.parsers.vcon.parties import read_parties
from review.core.transcript import Call, CallFindings, Records, Source
from review.core.transcript.drafting import About, Draft
from review.core.transcript.json_files import (
    Origin,
    Read,
    at_path,
    object_of,
    objects_in,
    read_json_calls,
)
from review.core.transcript.moments import Moment, first_of, moment_of, utc_text
from review.core.transcript.neutral import read_call

__all__ = ["NAME", "TITLE", "parse", "recognise"]

NAME = "vcon"
TITLE = "vCon"


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0])
    if not isinstance(head, Mapping):
        return False
    is_plain = isinstance(head.get("vcon"), str) or {"parties", "dialog"} <= head.keys()
    return is_plain or _is_signed(head) or _is_encrypted(head)


def parse(data: bytes, *, name: str, read: Records | None = None) -> Read:
    """Read every vCon of a file. Never raises."""
    return read_json_calls(data, name=name, read=read, read_call=_read_call)


def _is_signed(raw: Mapping[str, Any]) -> bool:
    return {"payload", "signatures"} <= raw.keys()


def _is_encrypted(raw: Mapping[str, Any]) -> bool:
    return {"protected", "ciphertext"} <= raw.keys() or {"ciphertext", "recipients"} <= raw.keys()


def _read_call(value: object, origin: Origin) -> tuple[Call, CallFindings]:
    found, identity = origin.begin(at_path(value, "uuid"))
    raw = object_of(value, found)
    _refuse_sealed(raw, found)
    dialogs = objects_in(raw, "dialog", found=found)
    own = embedded_call(raw, dialogs, found)
    if own is not None:
        return read_call(own, origin.where, origin.digest)
    return _read_foreign(raw, dialogs, origin.source(NAME, identity), found)


def _refuse_sealed(raw: Mapping[str, Any], found: CallFindings) -> None:
    if _is_signed(raw):
        text = "The vCon is signed; only unsigned ones are read. Check it and send its payload."
        found.refuse("vcon_signed", "", text)
    if _is_encrypted(raw):
        text = "The vCon is encrypted. Decrypt it where its key is, and send it again."
        found.refuse("vcon_encrypted", "", text)


def _read_foreign(
    raw: Mapping[str, Any],
    dialogs: list[Mapping[str, Any]],
    source: Source,
    found: CallFindings,
) -> tuple[Call, CallFindings]:
    parties = read_parties(raw, found)
    attachments = objects_in(raw, "attachments", found=found)
    zero = first_of(moment_of(one.get("start")) for one in dialogs)
    draft = Draft(found, roles=parties.roles)
    analyses = objects_in(raw, "analysis", found=found)
    spoken = spoken_dialogs(dialogs, found)
    if spoken:
        say_dialogs(spoken, parties, zero, draft)
        _note_double(analyses, found)
    else:
        say_transcripts(analyses, parties, zero, draft)
    if not draft.turns:
        _refuse_wordless(dialogs, found)
    subject = raw.get("subject")
    about = About(
        source=source,
        title=subject if isinstance(subject, str) else None,
        started_at=_start(zero, draft),
    )
    return draft.finish(about, extra=events_beside(attachments, zero, found)), found


def _start(zero: Moment | None, draft: Draft) -> str | None:
    has_times = any(turn.start_ms is not None for turn in draft.turns)
    if has_times and zero is not None and zero.is_naive:
        text = "The times do not say their offset from UTC; the start of the call is unknown."
        draft.found.warn("naive_timestamp", "dialog", text)
    return utc_text(zero)


def _note_double(analyses: list[Mapping[str, Any]], found: CallFindings) -> None:
    if any(str(one.get("type")).startswith("transcript") for one in analyses):
        text = "The vCon holds the words as dialogs and as an analysis; the dialogs were read."
        found.note("duplicate_of_transcript_analysis", "analysis", text)


def _refuse_wordless(dialogs: list[Mapping[str, Any]], found: CallFindings) -> None:
    kinds = sorted({str(one.get("type"))[:40] for one in dialogs})
    what = f"dialogs of the type {', '.join(kinds)} without words" if kinds else "no dialog"
    text = f"The vCon has {what} and no transcript. Have it transcribed, and send it again."
    found.refuse("no_turns", "dialog", text)
