"""Files of JSON that hold calls: each read by itself, so that a bad one stops no other."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from catalogs.core.findings import Finding, error
from review.core.transcript.decoding import RefusedInput
from review.core.transcript.gathering import CallFindings
from review.core.transcript.model import Call, Source
from review.core.transcript.records import (
    Records,
    call_digest,
    read_records,
    refuse_too_many_calls,
    refuse_unstorable,
)
from review.core.transcript.voices import file_stem

_LONGEST_ID = 200


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a call stands in its file, the id it has if it names none itself, and its digest."""

    where: str
    default_id: str
    digest: str

    def begin(self, identity: object) -> tuple[CallFindings, str]:
        """Return the findings to gather and the id of the call.

        What is no printable text of at most 200 characters, or number, is no id.
        """
        said = str(identity) if isinstance(identity, int) else identity
        is_good = isinstance(said, str) and said.isprintable() and 0 < len(said) <= _LONGEST_ID
        chosen = str(said) if is_good else self.default_id
        return CallFindings(f"{self.where}, {chosen}"), chosen

    def source(self, form: str, identity: str) -> Source:
        """Return where the call came from."""
        return Source(form, identity, self.digest)


Found = tuple[str, Any]
Read = tuple[tuple[Call, ...], tuple[Finding, ...]]
ReadCall = Callable[[Any, Origin], tuple[Call, CallFindings]]


def each_of(value: object, where: str) -> Iterator[Found]:
    """Yield a value, or the elements of a list, with their places."""
    if isinstance(value, list):
        for k, item in enumerate(value):
            yield f"{where}, item {k + 1}", item
    else:
        yield where, value


def read_json_calls(
    data: bytes,
    *,
    name: str,
    read: Records | None,
    read_call: ReadCall,
    find: Callable[[object, str], Iterator[Found]] = each_of,
) -> Read:
    """Read every call of a file. A refused one gives an error finding and stops no other.

    `find` yields the calls of a JSON value with their places; `read_call` reads one and may raise
    RefusedInput. Never raises.
    """
    records, findings = read or read_records(data, name=name)
    found = [one for record in records for one in find(record.value, record.where)]
    return read_found(data, found, name=name, read_call=read_call, findings=findings)


def read_found(
    data: bytes,
    found: list[Found],
    *,
    name: str,
    read_call: ReadCall,
    findings: tuple[Finding, ...] = (),
) -> Read:
    """Read the calls that were found in a file, each by itself. Never raises."""
    try:
        refuse_too_many_calls(len(found), where=name)
    except RefusedInput as refusal:
        return (), (*findings, refusal.finding)
    calls: list[Call] = []
    gathered = list(findings)
    stem = _safe(file_stem(name))
    for k, (where, raw) in enumerate(found, 1):
        is_alone = len(found) == 1
        try:
            refuse_unstorable(raw, where=where)
            digest = hashlib.sha256(data).hexdigest() if is_alone else call_digest(raw)
            origin = Origin(where, stem if is_alone else f"{stem}-{k}", digest)
            call, said = read_call(raw, origin)
        except RefusedInput as refusal:
            gathered.append(refusal.finding)
            continue
        calls.append(call)
        gathered.extend(said.findings)
    if not found and not findings:
        sentence = "The file holds no call of this format. Choose another format."
        gathered.append(error("no_calls", name, sentence))
    return tuple(calls), tuple(gathered)


def _safe(stem: str) -> str:
    return stem.encode("utf-8", "replace").decode().replace("\x00", "?")


def object_of(raw: object, found: CallFindings) -> Mapping[str, Any]:
    """Return a call's JSON object. Raises RefusedInput for anything else."""
    if not isinstance(raw, Mapping):
        found.refuse("not_a_call", "", "A call must be an object. Send the vendor's own file.")
    return raw


def objects_in(raw: Mapping[str, Any], *path: str, found: CallFindings) -> list[Mapping[str, Any]]:
    """Return the objects of the list at a path of keys; empty where there is none.

    Raises RefusedInput for what is no list of objects.
    """
    value: object = raw
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    place = ".".join(path)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
        found.refuse("bad_value", place, f"{place} must be a list of objects.")
    return value


def text_in(raw: Mapping[str, Any], *keys: str) -> str:
    """Return the first of some keys that holds a text with words; empty where none does."""
    for key in keys:
        value = raw.get(key)
        if isinstance(value, str) and value.strip():
            return value
    return ""


def at_path(raw: object, *path: str | int) -> Any:
    """Return the value at a path of keys and indexes; None where the path ends early."""
    for key in path:
        if isinstance(key, int):
            raw = raw[key] if isinstance(raw, list) and -len(raw) <= key < len(raw) else None
        else:
            raw = raw.get(key) if isinstance(raw, Mapping) else None
    return raw


def label_of(value: object, prefix: str = "") -> str:
    """Return who speaks as a label: a text as it is, a number behind a prefix; empty for neither.

    >>> label_of(0, "speaker "), label_of("A"), label_of(None, "speaker ")
    ('speaker 0', 'A', '')
    """
    if isinstance(value, bool) or value is None or isinstance(value, (list, Mapping)):
        return ""
    text = str(value)[:200]
    return f"{prefix}{text}" if prefix and text else text
