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
from review.core.transcript import (
    Call,
    Records,
    RefusedInput,
    call_digest,
    read_records,
    refuse_too_many_calls,
)
from review.core.transcript.neutral import CALL_KEYS, NAME, read_call

__all__ = ["CALL_KEYS", "NAME", "TITLE", "parse", "parse_value", "raw_calls", "recognise"]

TITLE = "oip-call/1, the neutral format"


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
        call, found = read_call(raw, where, digest or call_digest(raw))
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
