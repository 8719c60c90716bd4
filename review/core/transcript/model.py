"""A call as read from a file: turns, events, attributes. Frozen values; no text is changed here.

Turn numbers are the source's own (0 is a legal number), strictly increasing. Times are integer
milliseconds from the start of the call, or None where the source has none. Offsets into a text are
code points.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import Enum

Scalar = str | int | Decimal | bool | date | None
Attribute = Scalar | tuple["ListItem", ...]


class TurnKind(Enum):
    """What a turn is. Only words that somebody says can answer a question or show an item."""

    SPEECH = "speech"
    IVR = "ivr"
    HOLD = "hold"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    OTHER = "other"


class EventSource(Enum):
    """Where an event was written down."""

    TOOL = "tool"
    UI = "ui"


@dataclass(frozen=True, slots=True)
class ListItem:
    """One element of a list attribute (a drug on the order): its id and the names people say."""

    id: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Speaker:
    """A voice of the call: the key the file uses, the role the catalog knows, the label people
    read.

    `role` is None where nobody has said it; it is never guessed by alternation. `stated` is the
    source's own word for the voice, kept where a map gave it its role.
    """

    key: str
    role: str | None
    label: str
    stated: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn. `flags` are the codes of findings about it (``overlap``, ``empty_turn``)."""

    number: int
    speaker: str
    role: str | None
    kind: TurnKind
    text: str
    start_ms: int | None = None
    end_ms: int | None = None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Event:
    """A tool call or a screen event.

    `turn` is the turn the source puts it at (for a sequenced tool call: the turn of the call
    itself), or None for an out-of-band event that has only a time, `at_ms`. `result_turn` is the
    turn on which a sequenced call's result came. `ok` is whether the action happened: False for a
    failed call, None while no result has been seen.
    """

    id: str
    source: EventSource
    name: str
    args: Mapping[str, object]
    turn: int | None = None
    at_ms: int | None = None
    result_turn: int | None = None
    result: object = None
    ok: bool | None = True
    call_id: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """Where a call came from: format name, the external id that (with site and source) is its key,
    file digest.
    """

    format: str
    external_id: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Call:
    """One call, whole. `ended`: True, False (still running) or None (the source does not say, or
    was cut off).

    `attributes` are the call's own facts as ``type``, ``date``, ``medications`` (without the
    ``call.`` prefix). `revision` counts the transcripts that were stored for the call: 1 is the
    first as imported, a later one has other turns, roles or settings.
    """

    id: str
    title: str
    attributes: Mapping[str, Attribute]
    speakers: Mapping[str, Speaker]
    turns: tuple[Turn, ...]
    events: tuple[Event, ...]
    ended: bool | None
    source: Source
    started_at: str | None = None
    language: str | None = None
    flags: tuple[str, ...] = field(default=())
    revision: int = 1

    @property
    def date(self) -> date | None:
        """The call's date (it chooses the catalog version), or None."""
        value = self.attributes.get("date")
        return value if isinstance(value, date) else None


#: Findings that may change the order of two turns or a role (formats.md 3d, marked *): they send a
#: call to "needs mapping" and block automatic credit on the critical edges they touch.
ORDER_AFFECTING = frozenset(
    {
        "overlap",
        "equal_timestamps",
        "out_of_order",
        "unit_mismatch",
        "naive_timestamp",
        "several_legs",
        "clock_not_shared",
        "missing_speaker",
        "role_unknown",
        "mixed_speakers_in_segment",
        "role_collapsed",
        "result_before_call",
        "history_rewritten",
    }
)
