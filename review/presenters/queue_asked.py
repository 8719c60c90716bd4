"""What the address of the queue asks for, read with care and written back as links."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode
from uuid import UUID

from review.core.queue import QueueClass
from review.presenters.calls_asked import (
    read_moment,
    read_narrowing,
    write_moment,
    write_narrowing,
)
from review.queries.queue_list import ASSIGNED, HELD, LATE, QueueNarrowing, QueuePlace

_PLACE = re.compile(r"([1-9])-([0-9]{1,18})-([0-9a-f]{32})", re.ASCII)


@dataclass(frozen=True, slots=True)
class QueueAsked:
    """What the address asks for, and the place where its page begins."""

    narrowing: QueueNarrowing = field(default_factory=QueueNarrowing)
    place: QueuePlace | None = None

    @property
    def pairs(self) -> dict[str, str]:
        """The names and values of the address's query."""
        one = self.narrowing
        pairs = {
            "kind": one.kind,
            "held": one.held,
            "assigned": one.assigned,
            **write_narrowing(one),
        }
        if self.place is not None:
            pairs["below" if self.place.forward else "above"] = _written(self.place)
        return {name: value for name, value in pairs.items() if value}

    @property
    def query(self) -> str:
        """The address's query, "?" for the whole queue."""
        return f"?{urlencode(self.pairs)}"

    def but(self, **changes: str | None) -> QueueAsked:
        """Return the same with other filters, from the queue's beginning."""
        return QueueAsked(replace(self.narrowing, **changes))

    def at(self, place: QueuePlace | None) -> QueueAsked:
        """Return the same from another place."""
        return QueueAsked(self.narrowing, place)


def read_queue_asked(query: Mapping[str, str]) -> QueueAsked:
    """Read the address; what is unknown there is not asked for."""
    kind, held, assigned = (query.get(name, "") for name in ("kind", "held", "assigned"))
    common = {**read_narrowing(query), "state": None}
    if query.get("age") == LATE:
        common["age"] = LATE
    return QueueAsked(
        QueueNarrowing(
            **common,
            kind=kind if kind in KINDS else None,
            held=held if held in HELD else None,
            assigned=assigned if assigned in ASSIGNED else None,
        ),
        _place(query.get("below", ""), forward=True)
        or _place(query.get("above", ""), forward=False),
    )


#: The classes as an address names them.
KINDS = tuple(kind.name.lower() for kind in QueueClass)


def _place(text: str, *, forward: bool) -> QueuePlace | None:
    found = _PLACE.fullmatch(text)
    received_at = None if found is None else read_moment(found.group(2))
    if found is None or received_at is None:
        return None
    return QueuePlace(int(found.group(1)), received_at, UUID(found.group(3)), forward)


def _written(place: QueuePlace) -> str:
    return f"{int(place.rank)}-{write_moment(place.received_at)}-{place.id.hex}"
