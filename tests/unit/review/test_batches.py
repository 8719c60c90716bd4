"""Batches as read: parts in order, portions that resume anywhere, archives that try to hurt."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

import pytest

from review.core.batches import PORTION, Portion, count_parts, read_parts, read_portions
from review.core.transcript import MAX_BYTES


def call(name: str) -> dict[str, Any]:
    turns = [{"n": 1, "speaker": "a", "text": "Good morning."}]
    return {
        "format": "oip-call/1",
        "id": name,
        "turn_base": 1,
        "call": {"type": "x"},
        "speakers": {"a": {"role": "agent", "label": "A"}},
        "turns": turns,
        "events": [],
    }


def one(name: str) -> bytes:
    return json.dumps(call(name)).encode()


def several(*names: str) -> bytes:
    return json.dumps({"format": "oip-calls/1", "calls": [call(name) for name in names]}).encode()


def archive(members: Mapping[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", compression) as into:
        for name, data in members.items():
            into.writestr(name, data)
    return packed.getvalue()


def portions(
    files: list[tuple[str, bytes]], parts_done: int = 0, in_part: int = 0
) -> list[Portion]:
    return list(read_portions(files, form=None, parts_done=parts_done, in_part=in_part))


def ids(found: list[Portion]) -> list[str]:
    return [
        "refused" if thing.call is None else thing.call.id
        for portion in found
        for thing in portion.found
    ]


NAMES = [f"c{number}" for number in range(2 * PORTION + 7)]
FILES = [
    ("first.json", several(*NAMES[:60])),
    ("pack.zip", archive({f"{name}.json": one(name) for name in NAMES[60:100]})),
    ("last.json", several(*NAMES[100:])),
]


def test_every_call_is_found_once_and_in_order() -> None:
    read = portions(FILES)
    assert ids(read) == NAMES
    assert [len(portion.found) for portion in read] == [PORTION, PORTION, 7]
    assert sum(portion.newly_found for portion in read) == len(NAMES)
    assert (read[-1].parts_done, read[-1].in_part) == (42, 0)


@pytest.mark.parametrize("stored", [0, 1, 2])
def test_a_batch_that_was_cut_short_goes_on_where_it_stopped(stored: int) -> None:
    read = portions(FILES)
    before = read[stored - 1] if stored else Portion((), 0, 0, 0)
    rest = portions(FILES, before.parts_done, before.in_part)
    assert ids(read[:stored]) + ids(rest) == NAMES
    assert rest == read[stored:]


def test_a_batch_whose_last_portion_is_stored_only_needs_its_end() -> None:
    [*_, last] = portions(FILES)
    assert portions(FILES, last.parts_done, last.in_part) == [Portion((), 42, 0, 0)]


def test_parts_are_counted_without_reading_them() -> None:
    assert [count_parts(data) for _, data in FILES] == [1, 40, 1]
    assert count_parts(b"no call") == 1


def test_a_bad_file_stops_no_other() -> None:
    packed = archive({"a.json": one("a"), "b.json": b"{", "c.json": one("c")})
    [read] = portions([("x.zip", packed)])
    assert ids([read]) == ["a", "refused", "c"]
    assert read.found[1].place.startswith("x.zip/b.json")
    assert "bad_json" in read.found[1].sentence


def locked() -> bytes:
    """Return an archive whose file says that a password is needed."""
    packed = bytearray(archive({"a.json": one("a")}))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        packed[packed.index(signature) + offset] |= 1
    return bytes(packed)


def damaged() -> bytes:
    """Return an archive with a byte of its packed data turned over."""
    packed = bytearray(archive({"a.json": one("a")}))
    packed[packed.index(b"a.json") + 20] ^= 0xFF
    return bytes(packed)


def lying() -> bytes:
    """Return an archive whose directory says that a large file is small."""
    packed = bytearray(archive({"a.json": b" " * 100_000 + one("a")}, zipfile.ZIP_STORED))
    at = packed.index(b"PK\x01\x02") + 20
    packed[at : at + 8] = (5).to_bytes(4, "little") * 2
    return bytes(packed)


HOSTILE = [
    ("a bomb", archive({"a.json": b" " * 5_000_000}), "bomb"),
    ("too large a file", archive({"a.json": b" " * (MAX_BYTES + 1)}), "too_large"),
    ("an archive inside", archive({"b.zip": archive({"a.json": one("a")})}), "nested_archive"),
    ("no file at all", archive({}), "unknown_format"),
    ("folders only", archive({"a/": b""}), "empty_archive"),
    ("locked by a password", locked(), "broken_archive"),
    ("damaged", damaged(), "broken_archive"),
    ("a directory that lies", lying(), "broken_archive"),
    ("an unusual packing", archive({"a.json": one("a")}, zipfile.ZIP_BZIP2), "broken_archive"),
    ("cut off", archive({"a.json": one("a")})[:60], "broken_archive"),
]


@pytest.mark.parametrize(
    ("data", "code"), [row[1:] for row in HOSTILE], ids=[r[0] for r in HOSTILE]
)
def test_a_hostile_archive_is_refused_with_a_sentence(data: bytes, code: str) -> None:
    [part] = read_parts(data, name="x.zip", form=None)
    [refused] = part.found
    assert refused.call is None
    assert refused.sentence.startswith(code), refused.sentence
    assert refused.place.startswith("x.zip")


def test_a_name_inside_an_archive_is_only_a_name() -> None:
    [part] = read_parts(archive({"../../etc/passwd": one("a")}), name="x.zip", form=None)
    assert part.name == "x.zip/../../etc/passwd"
    assert part.found[0].call is not None
