"""How new values are written: plain where that is safe, else in quotes; on one line in braces, or
as a block of lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal

from catalogs.core.canonical import shortest
from catalogs.core.document.scalars import resolve

# No character that YAML gives a meaning anywhere, in or out of braces.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9 _./()'-]*[A-Za-z0-9_.)']|[A-Za-z]|\d+\.\d+\.\d+")
# Some readers of YAML take these for line breaks.
_BREAKS = {"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"}
_LONG = 80


def scalar(value: object, style: str | None = None) -> str:
    """Write a single value; `style` is the quote that its predecessor had.

    >>> scalar("Coverage told"), scalar("yes: no"), scalar("it's", "'"), scalar(True)
    ('Coverage told', '"yes: no"', "'it''s'", 'true')
    """
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case Decimal():
            return shortest(value)
        case date():
            return value.isoformat()
        case _:
            return _text(str(value), style)


def _text(value: str, style: str | None) -> str:
    is_word = _PLAIN.fullmatch(value) is not None and isinstance(resolve(value), str)
    # A pattern is read more easily where no backslash is doubled.
    if (style == "'" or ("\\" in value and style is None)) and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    if is_word and style != '"':
        return value
    quoted = json.dumps(value, ensure_ascii=False)
    for found, written in _BREAKS.items():
        quoted = quoted.replace(found, written)
    return quoted


def flow(value: object) -> str:
    """Write a value on one line.

    >>> flow({"PID": {"rationale": "Is PHI.", "sources": ["HIPAA"]}})
    '{PID: {rationale: Is PHI., sources: [HIPAA]}}'
    """
    match value:
        case Mapping():
            return "{" + ", ".join(f"{scalar(k)}: {flow(v)}" for k, v in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(flow(one) for one in value) + "]"
        case _:
            return scalar(value)


def block(value: object, indent: int) -> str:
    """Write a value as lines that stand `indent` from the left; short lists and single values stay
    on the line they are on.
    """
    return "\n".join(_lines(value, indent)) if _is_tall(value) else flow(value)


def entry(key: str, value: object, indent: int) -> str:
    """Write a key with its value, as it stands in a block `indent` from the left."""
    if not _is_tall(value):
        return f"{scalar(key)}: {flow(value)}"
    deeper = indent + 2
    return f"{scalar(key)}:\n{' ' * deeper}{block(value, deeper).lstrip()}"


def item(value: object, indent: int) -> str:
    """Write an item of a list with its dash, in a block `indent` from the left."""
    return f"- {block(value, indent + 2).lstrip()}"


def _lines(value: object, indent: int) -> Iterator[str]:
    room = " " * indent
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield f"{room}{entry(str(key), one, indent)}"
    elif isinstance(value, Sequence):
        for one in value:
            yield f"{room}{item(one, indent)}"


def _is_tall(value: object) -> bool:
    if isinstance(value, str) or not isinstance(value, Mapping | Sequence) or not value:
        return False
    members = list(value.values()) if isinstance(value, Mapping) else list(value)
    nested = any(isinstance(one, Mapping) for one in members)
    return nested or isinstance(value, Mapping) or len(flow(value)) > _LONG
