"""JSON, base64 and times of somebody else: one spelling, and a code for each other one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from oipsce_site.signing.core.plain import (
    read_base64,
    read_json,
    read_time,
    write_base64,
    write_json,
    write_time,
)
from oipsce_site.signing.core.refusals import Refused


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b'{"a":1,"a":2}', "E-DUPKEY"),
        (b'{"a":{"b":1,"b":1}}', "E-DUPKEY"),
        (b'{"a":1.0}', "E-FLOAT"),
        (b'{"a":1e3}', "E-FLOAT"),
        (b'{"a":NaN}', "E-FLOAT"),
        (b'{"a":-Infinity}', "E-FLOAT"),
        (b'{"a":1e999}', "E-FLOAT"),
        (b'{"a":9007199254740992}', "E-INT"),
        (b'{"a":' + b"9" * 5000 + b"}", "E-INT"),
        (b'{"a":"\\ud800"}', "E-SURROGATE"),
        (b'{"\\udc00":1}', "E-SURROGATE"),
        (b"\xff", "E-UTF8"),
        (b"\xed\xa0\x80", "E-UTF8"),
        (b"\xef\xbb\xbf{}", "E-JSON"),
        (b"{", "E-JSON"),
        (b"", "E-JSON"),
        (b"{} {}", "E-JSON"),
        (b"[" * 100_000, "E-JSON"),
        (b'{"a":' * 100_000, "E-JSON"),
    ],
)
def test_what_is_not_strict_json_has_its_code(data: bytes, code: str) -> None:
    with pytest.raises(Refused) as refusal:
        read_json(data, "it")
    assert refusal.value.code == code


@pytest.mark.parametrize(
    "value", [{}, [], {"a": [1, True, None, "é\u2028"]}, {"deep": [[[["[[[[{{{{"]]]]}, 2**53 - 1]
)
def test_what_is_written_reads_back(value: Any) -> None:
    assert read_json(write_json(value), "it") == value


@pytest.mark.parametrize("text", ["QQ", "QQ=", "QR==", "Q Q=", "QQ==\n", "QQ-_", 7, None])
def test_base64_has_one_spelling(text: object) -> None:
    assert write_base64(b"A") == "QQ=="
    with pytest.raises(Refused, match="E-B64"):
        read_base64(text, "it")


def test_a_time_reads_back() -> None:
    at = datetime(2026, 11, 29, 12, 0, 0, 5, tzinfo=UTC)
    assert read_time(write_time(at), "it") == at


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-29T12:00:00Z",
        "2026-11-29T12:00:00.000000+00:00",
        "2026-11-29 12:00:00.000000Z",
        "2026-02-30T12:00:00.000000Z",
        "2026-11-29T25:00:00.000000Z",
        "",
        5,
    ],
)
def test_a_time_has_one_spelling(text: object) -> None:
    with pytest.raises(Refused, match="E-TIME"):
        read_time(text, "it")
