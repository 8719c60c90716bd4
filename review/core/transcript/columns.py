"""Columns of a table by their names: which one holds the words, who speaks, the times, the call."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Literal

TimeUnit = Literal["s", "ms", "day"]

#: The header stands within the first rows of a table.
HEADER_ROWS = 10


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """The names of a file's own columns by their meaning (None: the file has no such column).

    `dialogue` is a column whose every cell holds a whole conversation. `time_unit` says what plain
    numbers in `start` and `end` are: seconds, milliseconds or fractions of a day.
    """

    text: str | None = None
    dialogue: str | None = None
    speaker: str | None = None
    role: str | None = None
    turn: str | None = None
    start: str | None = None
    end: str | None = None
    call: str | None = None
    date: str | None = None
    type: str | None = None
    title: str | None = None
    language: str | None = None
    kind: str | None = None
    tool: str | None = None
    payload: str | None = None
    time_unit: TimeUnit | None = None


@dataclass(frozen=True, slots=True)
class Header:
    """Where the header is (index among the rows), its cells, and the column of each meaning."""

    index: int
    names: tuple[str, ...]
    columns: Mapping[str, int]
    time_unit: TimeUnit | None = None


# Names by meaning, the surest first; written as `_plain_name` gives them.
_KNOWN: Mapping[str, tuple[str, ...]] = {
    "call": (
        *("call id", "call", "conversation id", "conversation", "dialogue id", "dialog id"),
        *("dlg id", "encounter id", "session id", "call sid", "encounter", "id"),
    ),
    "dialogue": ("dialogue", "dialog"),
    "speaker": ("speaker", "speaker name", "speaker label", "who", "participant", "party", "name"),
    "role": ("role", "speaker role", "participant role"),
    "text": (
        *("text", "utterance", "words", "transcript", "content", "message", "said", "sentence"),
        "line",
    ),
    "start": (
        *("start", "start time", "starttime", "begin", "begin time", "t0", "offset", "timestamp"),
        "time",
    ),
    "end": ("end", "end time", "endtime", "stop", "finish", "t1"),
    "turn": (
        *("turn", "turn number", "turn id", "n", "no", "nr", "number", "index", "seq", "order"),
        *("utterance id", "utterance number", "i"),
    ),
    "date": ("date", "call date"),
    "kind": ("kind", "event kind", "row kind", "row type", "turn type", "turn kind"),
    "type": ("type", "call type"),
    "title": ("title", "call title"),
    "language": ("language", "lang"),
    "tool": ("tool", "tool name", "function", "event", "event name"),
    "payload": ("payload", "args", "arguments", "value", "data", "result"),
}
_UNITS: Mapping[str, TimeUnit] = {
    **dict.fromkeys(("ms", "msec", "millis", "milliseconds"), "ms"),
    **dict.fromkeys(("s", "sec", "secs", "seconds"), "s"),
}
_MEANINGS = tuple(one.name for one in fields(ColumnMap) if one.name != "time_unit")


def find_header(rows: Sequence[Sequence[object]], given: ColumnMap | None = None) -> Header | None:
    """Return the first of the first ten rows that is a header, or None.

    A header names a column of words and one more, or a column of dialogues; with a `given` map it
    has every name of the map.
    """
    for index, row in enumerate(rows[:HEADER_ROWS]):
        names = tuple("" if cell is None else str(cell).strip()[:200] for cell in row)
        header = _chosen(index, names, given) if given else _recognised(index, names)
        if header is not None:
            return header
    return None


def names_given(given: ColumnMap) -> dict[str, str]:
    """Return the meanings a map gives, with the name of the column of each."""
    pairs = ((meaning, getattr(given, meaning)) for meaning in _MEANINGS)
    return {meaning: name for meaning, name in pairs if name is not None}


def _chosen(index: int, names: tuple[str, ...], given: ColumnMap) -> Header | None:
    plain = [" ".join(name.casefold().split()) for name in names]
    columns = {}
    for meaning, name in names_given(given).items():
        wanted = " ".join(name.casefold().split())
        if wanted not in plain:
            return None
        columns[meaning] = plain.index(wanted)
    if not {"text", "dialogue"} & columns.keys():
        return None
    return Header(index, names, columns, given.time_unit or _unit(names, columns))


def _recognised(index: int, names: tuple[str, ...]) -> Header | None:
    plain = [_plain_name(name)[0] for name in names]
    columns: dict[str, int] = {}
    for meaning, known in _KNOWN.items():
        for word in known:
            if word in plain and plain.index(word) not in columns.values():
                columns[meaning] = plain.index(word)
                break
    is_header = "dialogue" in columns or ("text" in columns and len(columns) > 1)
    return Header(index, names, columns, _unit(names, columns)) if is_header else None


def _unit(names: tuple[str, ...], columns: Mapping[str, int]) -> TimeUnit | None:
    units = [_plain_name(names[columns[key]])[1] for key in ("start", "end") if key in columns]
    return next((unit for unit in units if unit), None)


def _plain_name(name: str) -> tuple[str, TimeUnit | None]:
    """Return a header's words in lower case without the unit behind them, and that unit."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    words = re.sub(r"[\s_\-./()\[\]#]+", " ", spaced).casefold().split()
    unit = _UNITS.get(words[-1]) if len(words) > 1 else None
    return " ".join(words[:-1] if unit else words), unit
