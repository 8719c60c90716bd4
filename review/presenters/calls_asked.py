"""What the address of the calls list asks for, read with care and written back as links."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode
from uuid import UUID

from review.core.cascade.triage import FlagCode
from review.core.lifecycle import CallState
from review.queries import AGES, Narrowing, Place

#: What CallSuccess can be, the gravest first.
VERDICTS = ("fail", "undetermined", "pass")

_PLACE = re.compile(r"([0-9]{1,18})-([0-9a-f]{32})", re.ASCII)
_SLUG = re.compile(r"[a-z0-9_-]{1,64}", re.ASCII | re.IGNORECASE)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LONGEST_TEXT = 200


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address asks for, and the place where its page begins."""

    narrowing: Narrowing = field(default_factory=Narrowing)
    place: Place | None = None

    @property
    def pairs(self) -> dict[str, str]:
        """The names and values of the address's query."""
        pairs = write_narrowing(self.narrowing)
        if self.place is not None:
            pairs["before" if self.place.forward else "after"] = _written(self.place)
        return {name: value for name, value in pairs.items() if value}

    @property
    def query(self) -> str:
        """The address's query, "?" for the whole list."""
        return f"?{urlencode(self.pairs)}"

    def but(self, **changes: str | None) -> Asked:
        """Return the same with other filters, from the list's beginning."""
        return Asked(replace(self.narrowing, **changes))

    def at(self, place: Place | None) -> Asked:
        """Return the same from another place."""
        return Asked(self.narrowing, place)


def read_asked(query: Mapping[str, str]) -> Asked:
    """Read the address; what is unknown there is not asked for."""
    return Asked(
        Narrowing(**read_narrowing(query)),
        _place(query.get("before", ""), forward=True)
        or _place(query.get("after", ""), forward=False),
    )


def read_narrowing(query: Mapping[str, str]) -> dict[str, str | None]:
    """Read what an address asks of any list, by the fields of `Narrowing`."""
    state, flag = query.get("state", "").upper(), query.get("flag", "").upper()
    verdict, age = query.get("verdict", ""), query.get("age", "")
    text = " ".join(query.get("text", "")[:_LONGEST_TEXT].replace("\0", " ").split())
    return {
        "site": _slug(query.get("site", "")),
        "catalog": _slug(query.get("catalog", "")),
        "state": state if state in CallState.__members__ else None,
        "verdict": verdict if verdict in VERDICTS else None,
        "flag": flag if flag in FlagCode.__members__ else None,
        "age": age if age in AGES else None,
        "text": text or None,
    }


def write_narrowing(one: Narrowing) -> dict[str, str | None]:
    """Return what `read_narrowing` reads, as an address writes it."""
    return {
        "text": one.text,
        "verdict": one.verdict,
        "state": one.state.lower() if one.state else None,
        "flag": one.flag.lower() if one.flag else None,
        "catalog": one.catalog,
        "site": one.site,
        "age": one.age,
    }


def read_moment(text: str) -> datetime | None:
    """Read a time from the digits of an address; None for one that is none."""
    try:
        return _EPOCH + timedelta(microseconds=int(text))
    except OverflowError:
        return None


def write_moment(at: datetime) -> str:
    """Return the digits that `read_moment` reads."""
    return str((at - _EPOCH) // timedelta(microseconds=1))


def _slug(text: str) -> str | None:
    return text if _SLUG.fullmatch(text) else None


def _place(text: str, *, forward: bool) -> Place | None:
    found = _PLACE.fullmatch(text)
    if found is None:
        return None
    received_at = read_moment(found.group(1))
    return None if received_at is None else Place(received_at, UUID(found.group(2)), forward)


def _written(place: Place) -> str:
    return f"{write_moment(place.received_at)}-{place.id.hex}"
