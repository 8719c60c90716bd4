"""Reader of ``oip-call/1``, the only neutral format: one call, ``{"calls": [...]}``, a list, or one
call per line.

The file's own turn numbers are kept (0 is a number). What the file does not say stays None; what
this reader does not know is reported, never lost in silence. Schema: ``oip_call.schema.json`` (held
equal by a test).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping

from catalogs.core.findings import Finding, error
from review.core.parsers.oip_call.about import (
    NAME,
    read_attributes,
    read_ended,
    read_language,
    read_source,
    read_speakers,
)
from review.core.parsers.oip_call.events import read_events
from review.core.parsers.oip_call.sequence import read_turns
from review.core.transcript import (
    Call,
    CallFindings,
    Records,
    RefusedInput,
    call_digest,
    finish_call,
    observe_times,
    read_records,
    refuse_too_many_calls,
    refuse_unstorable,
)
from review.core.transcript.fields import (
    optional_text,
    report_unknown,
    required_text,
)

__all__ = ["CALL_KEYS", "NAME", "parse", "parse_value", "raw_calls", "recognise"]


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


def recognise(head: object) -> bool:
    """Say whether the first JSON value of a file is of this format."""
    if isinstance(head, list):
        return bool(head) and recognise(head[0])
    if not isinstance(head, Mapping):
        return False
    if head.get("format") == NAME:
        return True
    calls = head.get("calls")
    return isinstance(calls, list) and (
        head.get("format") == "oip-calls/1" or any(map(recognise, calls[:1]))
    )


def parse(
    data: bytes, *, name: str, read: Records | None = None
) -> tuple[tuple[Call, ...], tuple[Finding, ...]]:
    """Read every call of a file. A call that is refused gives one error finding and stops no other.
    Never raises.
    """
    records, findings = read or read_records(data, name=name)
    places = [place for record in records for place in _calls_in(record.value, record.where)]
    whole = hashlib.sha256(data).hexdigest() if len(places) == 1 else None
    try:
        refuse_too_many_calls(len(places), where=name)
    except RefusedInput as refusal:
        return (), (*findings, refusal.finding)
    calls: list[Call] = []
    gathered = list(findings)
    for where, raw in places:
        call, extra = parse_value(raw, where=where, digest=whole)
        calls.extend([call] if call else [])
        gathered.extend(extra)
    if records and not places:
        sentence = "The file holds no calls. Put one call, or a list named calls, into it."
        gathered.append(error("no_calls", name, sentence))
    return tuple(calls), tuple(gathered)


def parse_value(
    raw: object, *, where: str, digest: str | None = None
) -> tuple[Call | None, tuple[Finding, ...]]:
    """Read one call that is already JSON (a variant, an API body); None with one error finding if
    it is refused.

    `digest` is the SHA-256 of the bytes it came in; without it the call's own canonical text is
    digested.
    """
    try:
        call, found = _read_call(raw, where, digest or call_digest(raw))
    except RefusedInput as refusal:
        return None, (refusal.finding,)
    return call, found.findings


def raw_calls(data: bytes, *, name: str) -> tuple[Mapping[str, object], ...]:
    """Return the calls of a file as JSON objects, for variants; what is no object is left out.
    Never raises.
    """
    records, _ = read_records(data, name=name)
    found = [raw for record in records for _, raw in _calls_in(record.value, record.where)]
    return tuple(raw for raw in found if isinstance(raw, Mapping))


def _calls_in(value: object, where: str) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping) and isinstance(value.get("calls"), list):
        value = value["calls"]
    if isinstance(value, list):
        for k, raw in enumerate(value):
            yield f"{where}, calls[{k}]", raw
    else:
        yield where, value


def _read_call(raw: object, where: str, digest: str) -> tuple[Call, CallFindings]:
    """Read one call. Raises RefusedInput where the call cannot be taken."""
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
