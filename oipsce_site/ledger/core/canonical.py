"""Canonical JSON for the bodies of the log: one value has exactly one sequence of bytes.

Rules: UTF-8 without a byte order mark or white space; keys are ASCII, unique and sorted; numbers
are integers with |n| < 2**53; no floats; strings hold neither NUL nor lone surrogates; control
characters are escaped the shortest way. That is RFC 8785 (JCS) restricted to integers and ASCII
keys.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final, NoReturn, TypeAlias

Value: TypeAlias = "bool | int | str | Sequence[Value] | Mapping[str, Value] | None"

INTEGER_LIMIT: Final = 2**53
DEPTH_LIMIT: Final = 16
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")


class NotCanonical(ValueError):
    """A value, or a sequence of bytes, that canonical JSON does not allow; says where and why."""


def encode(value: Value) -> bytes:
    """Return the canonical bytes of `value`.

    Raises NotCanonical, naming the place in the value, never the text found there.

    >>> encode({"b": [1, True], "a": None})
    b'{"a":null,"b":[1,true]}'
    """
    _check(value, "body", DEPTH_LIMIT)
    return json.dumps(
        value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
    ).encode("utf-8")


def decode(data: bytes) -> Value:
    """Return the value that `data` is the canonical form of.

    Raises NotCanonical when the bytes are not JSON or are not the canonical bytes of their value.
    """
    try:
        value: Value = json.loads(data.decode("utf-8"), parse_float=_refuse, parse_constant=_refuse)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise NotCanonical(f"body: not JSON in UTF-8 ({type(error).__name__})") from None
    # Writing it again finds duplicate keys, white space, other orders and other escapes at once.
    if encode(value) != data:
        raise NotCanonical("body: JSON, but not in its canonical form")
    return value


def _refuse(_number: str) -> NoReturn:
    raise NotCanonical("body: a number that is not an integer; send integers or decimal strings")


def _check(value: Value, where: str, depth: int) -> None:
    if depth == 0:
        raise NotCanonical(f"{where}: nested deeper than {DEPTH_LIMIT} levels; flatten it")
    match value:
        case None | bool():
            return
        case int():
            _check_integer(value, where)
        case str():
            _check_text(value, where)
        case dict():
            for key, item in value.items():
                _check_key(key, where)
                _check(item, f"{where}.{key}", depth - 1)
        case list() | tuple():
            for index, item in enumerate(value):
                _check(item, f"{where}[{index}]", depth - 1)
        case _:
            raise NotCanonical(
                f"{where}: a {type(value).__name__} has no canonical form; "
                "use null, booleans, integers, strings, lists or dictionaries"
            )


def _check_integer(value: int, where: str) -> None:
    if abs(value) >= INTEGER_LIMIT:
        raise NotCanonical(f"{where}: an integer beyond 2**53; send it as a string")


def _check_text(value: str, where: str) -> None:
    found = _UNSTORABLE.search(value)
    if found is not None:
        raise NotCanonical(
            f"{where}: U+{ord(found.group()):04X} at character {found.start()} cannot be stored; "
            "remove it"
        )


def _check_key(key: object, where: str) -> None:
    if not isinstance(key, str) or not key or not key.isascii() or "\x00" in key:
        raise NotCanonical(f"{where}: a key that is not a non-empty ASCII string; rename it")
