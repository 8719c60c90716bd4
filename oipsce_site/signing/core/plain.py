"""Strict reading of JSON, base64 and times that somebody else wrote: one value, one spelling.

Stricter than JSON: no duplicate keys, no floats, integers within 2**53, no lone surrogates. What is
refused is refused with a code of its own.

| code | what is refused |
| --- | --- |
| E-UTF8 | bytes that are no UTF-8 |
| E-JSON | text that is no JSON, or nested deeper than Python follows |
| E-DUPKEY | a key given twice: two programs could read two different values |
| E-FLOAT | a number with a fraction or an exponent, NaN or Infinity |
| E-INT | an integer beyond 2**53 |
| E-SURROGATE | half of a character |
| E-B64 | base64 that is not the only spelling of its bytes |
| E-TIME | a time that is not UTC with six digits and Z |
| E-SHAPE | a value that has not the expected keys or kinds |
"""

from __future__ import annotations

import base64
import json
import re
from datetime import UTC, datetime
from typing import Any, Final, NoReturn

from oipsce_site.signing.core.refusals import Refused, require

INTEGER_LIMIT: Final = 2**53
_ESCAPED: Final = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/]*={0,2}")
_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
_HEX: Final = re.compile(r"[0-9a-f]*")


def read_json(data: bytes, what: str) -> Any:
    """Return the value of strict JSON; `what` names the file in the sentence. Raises Refused."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("E-UTF8", f"{what} is not UTF-8") from None

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        value: dict[str, Any] = {}
        for key, item in found:
            require(key not in value, "E-DUPKEY", f"{what} gives a key twice")
            value[key] = item
        return value

    def integer(digits: str) -> int:
        short = len(digits) < 18 and abs(int(digits)) < INTEGER_LIMIT
        require(short, "E-INT", f"{what} has an integer beyond 2**53")
        return int(digits)

    def fraction(_: str) -> NoReturn:
        raise Refused("E-FLOAT", f"{what} has a number that is not an integer")

    try:
        value = json.loads(
            text,
            object_pairs_hook=pairs,
            parse_int=integer,
            parse_float=fraction,
            parse_constant=fraction,
        )
    except (ValueError, RecursionError):
        raise Refused("E-JSON", f"{what} is not JSON") from None
    # UTF-8 holds no half of a character; only an escape can bring one in.
    if _ESCAPED.search(text):
        _refuse_surrogates(value, what)
    return value


def write_json(value: object) -> bytes:
    """Return the canonical bytes of a plain value: sorted keys, no white space, UTF-8.

    The same bytes as RFC 8785 writes for ASCII keys and integers below 2**53.
    """
    return json.dumps(
        value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
    ).encode("utf-8")


def read_object(value: object, keys: set[str], what: str) -> dict[str, Any]:
    """Return `value` as an object with exactly these keys. Raises Refused (E-SHAPE)."""
    if not isinstance(value, dict) or set(value) != keys:
        raise Refused("E-SHAPE", f"{what} has not exactly the keys {', '.join(sorted(keys))}")
    return value


def read_text(value: object, what: str) -> str:
    """Return `value` as text. Raises Refused (E-SHAPE)."""
    if not isinstance(value, str):
        raise Refused("E-SHAPE", f"{what} is no text")
    return value


def read_count(value: object, what: str) -> int:
    """Return `value` as an integer from 0 on. Raises Refused (E-SHAPE)."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise Refused("E-SHAPE", f"{what} is no integer from 0 on")
    return value


def read_list(value: object, what: str) -> list[Any]:
    """Return `value` as a list. Raises Refused (E-SHAPE)."""
    if not isinstance(value, list):
        raise Refused("E-SHAPE", f"{what} is no list")
    return value


def read_hex(value: object, length: int, what: str) -> bytes:
    """Return `length` bytes written in lower-case hexadecimal. Raises Refused (E-SHAPE)."""
    if not isinstance(value, str) or len(value) != 2 * length or not _HEX.fullmatch(value):
        raise Refused("E-SHAPE", f"{what} is not {length} bytes in lower-case hexadecimal")
    return bytes.fromhex(value)


def read_base64(value: object, what: str) -> bytes:
    """Return the bytes of canonical base64. Raises Refused (E-B64)."""
    if not isinstance(value, str) or len(value) % 4 or not _BASE64.fullmatch(value):
        raise Refused("E-B64", f"{what} is not base64")
    data = base64.b64decode(value)
    # The unused bits of the last letter could say anything; only zeros are ours.
    require(write_base64(data) == value, "E-B64", f"{what} is not canonical base64")
    return data


def write_base64(data: bytes) -> str:
    """Return bytes as base64 text."""
    return base64.b64encode(data).decode("ascii")


def read_time(value: object, what: str) -> datetime:
    """Return a UTC time written ``2026-11-30T12:00:00.000000Z``. Raises Refused (E-TIME)."""
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        raise Refused("E-TIME", f"{what} is not a UTC time with six digits and Z")
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        raise Refused("E-TIME", f"{what} is no time of the calendar") from None


def write_time(at: datetime) -> str:
    """Return a time in UTC with six digits and Z. Raises ValueError for a time without a zone."""
    if at.utcoffset() is None:
        raise ValueError("at: a time without a zone; pass a UTC datetime")
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _refuse_surrogates(value: object, what: str) -> None:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            require(not _SURROGATE.search(one), "E-SURROGATE", f"{what} has half of a character")
        elif isinstance(one, dict):
            waiting.extend(one)
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)
