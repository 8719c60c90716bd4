"""Ways to spoil an audit: from outside, or by somebody who holds the export key."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import warnings
import zipfile
from collections.abc import Callable, Iterable
from typing import Any

from oipsce_site.ledger.core.entry import entry_hash
from oipsce_site.signing.core.envelope import STATEMENT_TYPE, seal_envelope
from oipsce_site.signing.core.plain import write_json
from review.core.audit.container import ContainerWriter
from review.core.audit.names import (
    MANIFEST,
    REPORT_CSV,
    REPORT_HTML,
    REPORT_PDF,
    in_order,
    records_digest,
    sheet_name,
)
from tests.unit.review.audit.world import audit, shipped_calls
from tests.unit.signing.rings import private

Files = dict[str, bytes]
CALL = shipped_calls()[0].call_id
SECOND = shipped_calls()[1].call_id
THIRD = shipped_calls()[2].call_id
RECORD, CHAIN = f"calls/{CALL}/record.json", f"calls/{CALL}/chain.jsonl"
TRANSCRIPT = f"calls/{CALL}/transcript.json"
Change = Callable[[Any], object]


def files_of(data: bytes) -> Files:
    """Return the files of an audit by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(files: Files, names: Iterable[str] | None = None) -> bytes:
    """Return a container of files, in its order or in that of the names."""
    out = io.BytesIO()
    container = ContainerWriter(out.write)
    for name in in_order(files) if names is None else names:
        container.add(name, files[name])
    container.finish()
    return out.getvalue()


def outside(change: Callable[[Files], object]) -> bytes:
    """Change files of an audit and pack them; the manifest stays as it was signed."""
    files = files_of(audit())
    change(files)
    return packed(files)


def raw_zip(name: str = "a.txt", **attributes: Any) -> bytes:
    """Return an audit with one more member, made by the standard library's writer."""
    files = files_of(audit())
    out = io.BytesIO()
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(out, "w") as archive:
        for one in in_order(files):
            archive.writestr(zipfile.ZipInfo(one, (1980, 1, 1, 0, 0, 0)), files[one])
        info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        for attribute, value in attributes.items():
            if attribute != "data":
                setattr(info, attribute, value)
        archive.writestr(info, attributes.get("data", b"x"))
    return out.getvalue()


def statement_of(files: Files) -> dict[str, Any]:
    """Return what the manifest says."""
    payload = json.loads(files[MANIFEST])["payload"]
    value: dict[str, Any] = json.loads(base64.b64decode(payload))
    return value


def inside(
    change: Callable[[Files, dict[str, Any]], object],
    signer: str = "export",
    after: Callable[[dict[str, Any]], object] | None = None,
    data: bytes | None = None,
) -> bytes:
    """Change files and predicate and sign them anew, digests and reports included.

    `after` changes the statement once its digests are right.
    """
    files = files_of(audit() if data is None else data)
    statement = statement_of(files)
    predicate = statement["predicate"]
    old = predicate["records_digest"]
    before = {one: digest_of(files, one) for one in predicate["calls"]}
    change(files, predicate)
    records = [files.get(f"calls/{one}/record.json") for one in predicate["calls"]]
    new = records_digest(hashlib.sha256(one).digest() for one in records if one is not None)
    predicate["records_digest"] = new
    for name in (REPORT_CSV, REPORT_HTML, REPORT_PDF):
        if name in files:
            files[name] = files[name].replace(old.encode(), new.encode())
    for one, digest in before.items():
        name, now = sheet_name(one), digest_of(files, one)
        if name in files:
            files[name] = files[name].replace(digest.encode(), now.encode())
    statement["subject"] = [
        {"name": name, "digest": {"sha256": hashlib.sha256(files[name]).hexdigest()}}
        for name in sorted(files)
        if name != MANIFEST
    ]
    if after is not None:
        after(statement)
    files[MANIFEST] = seal_envelope(STATEMENT_TYPE, write_json(statement), [private(signer)])
    return packed(files)


def digest_of(files: Files, call: str) -> str:
    """Return the SHA-256 of a call's record; of nothing where it is not there."""
    return hashlib.sha256(files.get(f"calls/{call}/record.json", b"")).hexdigest()


def edit(name: str, change: Change) -> Callable[..., None]:
    """Return a change of one JSON file that stays canonical."""

    def act(files: Files, *_: object) -> None:
        value = json.loads(files[name])
        change(value)
        files[name] = write_json(value)

    return act


def put(name: str, data: bytes) -> Callable[..., None]:
    """Return a change that puts a file there."""

    def act(files: Files, *_: object) -> None:
        files[name] = data

    return act


def drop(*names: str) -> Callable[..., None]:
    """Return a change that takes files away."""

    def act(files: Files, *_: object) -> None:
        for name in names:
            del files[name]

    return act


def swap(one: str, other: str) -> Callable[..., None]:
    """Return a change that swaps two files."""

    def act(files: Files, *_: object) -> None:
        files[one], files[other] = files[other], files[one]

    return act


def replace_in(name: str, old: bytes, new: bytes) -> Callable[..., None]:
    """Return a change of bytes in one file."""

    def act(files: Files, *_: object) -> None:
        assert old in files[name], (name, old)
        files[name] = files[name].replace(old, new, 1)

    return act


def lines_of(files: Files, call: str = CALL) -> list[dict[str, Any]]:
    """Return the entries of a chain's file."""
    return [json.loads(line) for line in files[f"calls/{call}/chain.jsonl"].splitlines()]


def chain_lines(change: Callable[[list[dict[str, Any]]], object]) -> Callable[..., None]:
    """Return a change of the lines of the first chain; hashes stay."""

    def act(files: Files, *_: object) -> None:
        lines = lines_of(files)
        change(lines)
        files[CHAIN] = b"".join(write_json(line) + b"\n" for line in lines)

    return act


def rehashed(change: Callable[[list[dict[str, Any]]], object]) -> Callable[..., None]:
    """Return a change of the entries of the first chain; numbers and hashes are made anew.

    Each entry has its `body` as a value, and `at_us`.
    """

    def act(files: Files, *_: object) -> None:
        entries = lines_of(files)
        for entry in entries:
            entry["body"] = json.loads(base64.b64decode(entry["body"]))
        change(entries)
        files[CHAIN] = b"".join(rehash(entries))

    return act


def rehash(entries: list[dict[str, Any]]) -> Iterable[bytes]:
    """Yield the lines of a chain whose numbers and hashes fit its entries."""
    previous = bytes(32)
    from_id = shipped_calls()[0].chain[0].chain_id
    for seq, entry in enumerate(entries):
        body = write_json(entry["body"])
        own = entry_hash(from_id, seq, previous, entry["at_us"], body)
        line = {
            "chain": entry["chain"],
            "seq": seq,
            "prev": previous.hex(),
            "at_us": entry["at_us"],
            "body": base64.b64encode(body).decode(),
            "hash": own.hex(),
        }
        previous = own
        yield write_json(line) + b"\n"


def edit_payload(old: bytes, new: bytes) -> Callable[[Files], None]:
    """Return a change of the manifest's payload under its old signature."""

    def act(files: Files) -> None:
        envelope = json.loads(files[MANIFEST])
        payload = base64.b64decode(envelope["payload"])
        assert old in payload
        envelope["payload"] = base64.b64encode(payload.replace(old, new, 1)).decode()
        files[MANIFEST] = write_json(envelope)

    return act


def edit_signoff(change: Change) -> Callable[..., None]:
    """Return a change inside the first call's signed record; nothing else follows."""

    def act(value: dict[str, Any]) -> None:
        signoff = value["signoffs"][0]
        record = json.loads(base64.b64decode(signoff["record"]))
        change(record)
        signoff["record"] = base64.b64encode(write_json(record)).decode()

    return edit(RECORD, act)


def shown(text: str) -> str:
    """Return a name for a row's id."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
