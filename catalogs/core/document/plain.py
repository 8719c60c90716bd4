"""Typed reading of checked plain values, and places in the author's words.

The values have passed `checking`; a wrong kind here is a bug of ours and raises TypeError.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TypeVar

from catalogs.core.document.complaint import Complaint
from catalogs.core.requirements.expression import Expression, Scalar
from catalogs.core.requirements.parser import ExpressionError, parse

Table = Mapping[str, object]
_Kind = TypeVar("_Kind")

_BY_INDEX = re.compile(
    r"(?P<list>phases|add_phases)\[(?P<phase>\d+)\](?:\.accept\[(?P<item>\d+)\])?(?P<rest>.*)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Context:
    """What building needs everywhere: the whole document (for names of places) and a list that
    collects complaints.
    """

    data: Table
    complaints: list[Complaint]

    def words(self, path: str) -> str:
        """Return a path in the author's words (``CSV.starts[0]``)."""
        return in_words(path, self.data)

    def expression(self, table: Table, path: str, key: str = "when") -> Expression | None:
        """Parse the expression at a key; None if there is none or it is `always`, or (with a
        complaint) unreadable.
        """
        text = text_or_none(table, key)
        if text is None or text.strip() == "always":
            return None
        try:
            return parse(text)
        except ExpressionError as bad:
            place = f"{path}.{key}" if path else key
            shown = text[max(0, bad.position - 20) : bad.position + 20]
            said = f"at character {bad.position + 1} (near {shown!r}): {bad.sentence}"
            self.complaints.append(Complaint("E301", place, said))
            return None


def in_words(path: str, data: object) -> str:
    """Name a place by phase and item ids instead of list positions.

    >>> in_words(
    ...     "phases[0].accept[1].match[0]",
    ...     {"phases": [{"id": "PID", "accept": [{}, {"id": "dob"}]}]},
    ... )
    'PID.accept.dob.match[0]'
    """
    hit = _BY_INDEX.fullmatch(path)
    phase = _member(data, hit["list"], hit["phase"]) if hit else None
    phase_id = phase.get("id") if isinstance(phase, dict) else None
    if hit is None or not isinstance(phase_id, str) or not phase_id:
        return path
    if hit["item"] is None:
        return phase_id + hit["rest"]
    item = _member(phase, "accept", hit["item"])
    item_id = item.get("id") if isinstance(item, dict) else None
    item_words = (
        f".accept.{item_id}" if isinstance(item_id, str) and item_id else f".accept[{hit['item']}]"
    )
    return phase_id + item_words + hit["rest"]


def _member(table: object, key: str, index: str) -> object:
    members = table.get(key) if isinstance(table, dict) else None
    return members[int(index)] if isinstance(members, list) and int(index) < len(members) else None


def _as(kind: type[_Kind], value: object) -> _Kind:
    if not isinstance(value, kind):
        raise TypeError(f"{kind.__name__} expected after checking, found {type(value).__name__}")
    return value


def table_of(table: Table, key: str) -> Table:
    """Return the mapping at a key, empty if there is none."""
    value = table.get(key)
    return {} if value is None else _as(dict, value)


def rows_of(table: Table, key: str) -> list[Table]:
    """Return the list of mappings at a key, empty if there is none."""
    value = table.get(key)
    return [] if value is None else [_as(dict, item) for item in _as(list, value)]


def texts_of(table: Table, key: str) -> tuple[str, ...]:
    """Return the list of texts at a key (a single text counts as a list of one), empty if there is
    none.
    """
    value = table.get(key)
    if value is None:
        return ()
    return (
        (value,) if isinstance(value, str) else tuple(_as(str, item) for item in _as(list, value))
    )


def text_of(table: Table, key: str, default: str = "") -> str:
    """Return the text at a key."""
    value = text_or_none(table, key)
    return default if value is None else value


def text_or_none(table: Table, key: str) -> str | None:
    """Return the text at a key, None if there is none."""
    value = table.get(key)
    return None if value is None else _as(str, value)


def truth_of(table: Table, key: str, *, default: bool = False) -> bool:
    """Return the truth value at a key."""
    value = table.get(key)
    return default if value is None else _as(bool, value)


def count_or_none(table: Table, key: str) -> int | None:
    """Return the whole number at a key, None if there is none."""
    value = table.get(key)
    return None if value is None else _as(int, value)


def number_or_none(table: Table, key: str) -> Decimal | None:
    """Return the number at a key as a Decimal, None if there is none."""
    value = table.get(key)
    if value is None:
        return None
    return value if isinstance(value, Decimal) else Decimal(_as(int, value))


def date_or_none(table: Table, key: str) -> date | None:
    """Return the date at a key, None if there is none."""
    value = table.get(key)
    return None if value is None else _as(date, value)


def scalar_of(value: object) -> Scalar:
    """Return a value that must be single."""
    if value is None or isinstance(value, str | int | Decimal | bool | date):
        return value
    raise TypeError(f"a single value expected after checking, found {type(value).__name__}")
