"""Canonical JSON bytes: one value, one byte string, so that a digest names content and not its
spelling.

1. UTF-8, keys in code point order, no white space, nothing escaped that JSON lets stand.
2. Integers are the only numbers. A Decimal is a string in its shortest plain form (1.50 -> "1.5",
   1E+2 -> "100").
3. A date is its ISO string. true, false and null are themselves.
4. Floats, NaN, lone surrogates, keys that are not strings and every other type are refused.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

_MAX_DEPTH = 200
_MAX_DIGITS = 1_000
_BEYOND: int = 10**_MAX_DIGITS
_SURROGATE = re.compile("[\ud800-\udfff]")
_TEXT = frozenset({str})
_LEAVES = frozenset({str, int, bool, type(None)})
_PLAIN = frozenset({*_LEAVES, dict, list, tuple})
# Who signed and where a version stands must not change the content they signed.
_OUTSIDE_CONTENT = frozenset({"status", "approvers"})


class CanonicalError(ValueError):
    """A value that has no canonical form; the message names the place and what to do."""


def canonical_bytes(value: object) -> bytes:
    """Return the canonical JSON of a value. Raises CanonicalError for what has no exact form.

    >>> canonical_bytes({"b": Decimal("1.50"), "a": [True, None]})
    b'{"a":[true,null],"b":"1.5"}'
    """
    if is_plain(value):
        try:
            return _written(value)
        except UnicodeEncodeError:
            # Half of a character; the walk below finds the place and says so.
            pass
    return _written(_plain(value, "$", 0))


def digest(value: object) -> str:
    """Return the SHA-256 of the canonical bytes as 64 lower-case hexadecimal digits. Raises
    CanonicalError.
    """
    return hashlib.sha256(canonical_bytes(value)).hexdigest()


def content_digest(data: Mapping[str, object]) -> str:
    """Return the digest that names a catalog version: its data without `status` and `approvers`."""
    return digest({key: value for key, value in data.items() if key not in _OUTSIDE_CONTENT})


def shortest(number: Decimal) -> str:
    """Return a Decimal in plain digits without needless zeros. Raises CanonicalError if not finite
    or too long.

    >>> shortest(Decimal("-0.0")), shortest(Decimal("1E+2")), shortest(Decimal("0.10"))
    ('0', '100', '0.1')
    """
    if not number.is_finite():
        raise CanonicalError(f"{number} is no number that can be written down; leave it out")
    if len(number.as_tuple().digits) + abs(number.adjusted()) > _MAX_DIGITS:
        raise CanonicalError(f"a number with more than {_MAX_DIGITS} digits; shorten it")
    if not number:
        return "0"
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def is_plain(value: object) -> bool:
    """Say whether a writer of JSON takes a value as it stands, with the canonical result.

    Exact types only: a subclass may print as something else. Lone surrogates are not looked for.
    """
    level: list[Any] = [value]
    for _depth in range(_MAX_DEPTH):
        # Level by level, all containers of one at once: most of them are short.
        kinds = set(map(type, level))
        if not kinds <= _PLAIN or (int in kinds and not _are_short(level)):
            return False
        if kinds <= _LEAVES:
            return True
        inner: list[Any] = []
        for one in level:
            if type(one) is dict:
                if not _TEXT.issuperset(map(type, one)):
                    return False
                inner += one.values()
            elif type(one) not in _LEAVES:
                inner += one
        level = inner
    return False


def _are_short(level: list[Any]) -> bool:
    numbers = [one for one in level if type(one) is int]
    return min(numbers) > -_BEYOND and max(numbers) < _BEYOND


def _written(plain: object) -> bytes:
    text = json.dumps(
        plain, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
    )
    return text.encode("utf-8")


def _plain(value: object, where: str, depth: int) -> object:
    if depth > _MAX_DEPTH:
        raise CanonicalError(f"nested more than {_MAX_DEPTH} deep at {where[:80]}")
    match value:
        case None | bool():
            return value
        case int():
            return _plain_int(value, where)
        case str():
            return _plain_text(value, where)
        case Decimal():
            return shortest(value)
        case date() if not isinstance(value, datetime):
            return value.isoformat()
        case Mapping():
            return {
                _key(key, where): _plain(item, f"{where}.{key}", depth + 1)
                for key, item in value.items()
            }
        case list() | tuple():
            return [
                _plain(item, f"{where}[{index}]", depth + 1) for index, item in enumerate(value)
            ]
        case _:
            hint = "use Decimal" if isinstance(value, float) else "turn it into text first"
            raise CanonicalError(
                f"{where} is a {type(value).__name__}, which has no exact form; {hint}"
            )


def _plain_int(value: int, where: str) -> int:
    if abs(value) >= _BEYOND:
        raise CanonicalError(f"{where} is a number with more than {_MAX_DIGITS} digits; shorten it")
    # An IntEnum prints by name; int() takes the number.
    return int(value)


def _plain_text(value: str, where: str) -> str:
    if _SURROGATE.search(value):
        raise CanonicalError(
            f"{where} holds half of a character (a lone surrogate); type the text again"
        )
    return str(value)


def _key(key: object, where: str) -> str:
    if not isinstance(key, str):
        raise CanonicalError(f"a key under {where} is a {type(key).__name__}; keys are text")
    return _plain_text(key, where)
