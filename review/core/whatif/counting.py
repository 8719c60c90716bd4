"""A what-if in counts that can be added up, so that portions of calls are counted apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from review.core.whatif.changes import Change, Compared


@dataclass(frozen=True, slots=True)
class Share:
    """How many calls, and how many of them are signed."""

    calls: int = 0
    signed: int = 0

    def __add__(self, other: Share) -> Share:
        return Share(self.calls + other.calls, self.signed + other.signed)


_NONE = Share()


@dataclass(frozen=True, slots=True)
class Counts:
    """What a what-if came to.

    - `changes` counts calls by what becomes of their verdict, `annotate` those that need a person
      first, `lost` those where a decision of a person could not be kept.
    - `phases` and `edges` count the calls in which each comes out otherwise.
    - `unread` counts calls that could not be read: erased meanwhile, or without rows.
    """

    changes: Mapping[Change, Share]
    annotate: Share = _NONE
    lost: Share = _NONE
    phases: Mapping[str, int] | None = None
    edges: Mapping[str, int] | None = None
    unread: int = 0

    @property
    def calls(self) -> int:
        """How many calls were compared."""
        return sum(one.calls for one in self.changes.values())

    @property
    def signed(self) -> int:
        """How many of them are signed."""
        return sum(one.signed for one in self.changes.values())

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            {each: self.changes[each] + other.changes[each] for each in Change},
            self.annotate + other.annotate,
            self.lost + other.lost,
            _added(self.phases, other.phases),
            _added(self.edges, other.edges),
            self.unread + other.unread,
        )


NO_COUNTS = Counts(dict.fromkeys(Change, _NONE), phases={}, edges={})


def count(compared: Iterable[Compared], *, unread: int = 0) -> Counts:
    """Count calls that were compared."""
    changes = dict.fromkeys(Change, _NONE)
    annotate = lost = _NONE
    phases: Counter[str] = Counter()
    edges: Counter[str] = Counter()
    for one in compared:
        share = Share(1, int(one.signed))
        changes[one.change] += share
        annotate += share if one.annotate else _NONE
        lost += share if one.lost else _NONE
        phases.update(turned.name for turned in one.rows)
        edges.update(turned.name for turned in one.edges)
    return Counts(changes, annotate, lost, phases, edges, unread)


def counts_to_json(counts: Counts) -> dict[str, Any]:
    """Write counts as plain values; shares are [calls, signed]."""
    return {
        "changes": {each.name: _pair(counts.changes[each]) for each in Change},
        "annotate": _pair(counts.annotate),
        "lost": _pair(counts.lost),
        "phases": dict(sorted((counts.phases or {}).items())),
        "edges": dict(sorted((counts.edges or {}).items())),
        "unread": counts.unread,
    }


def counts_from_json(plain: Mapping[str, Any]) -> Counts:
    """Read counts back. Raises KeyError or TypeError for what was not written so."""
    return Counts(
        {each: Share(*plain["changes"][each.name]) for each in Change},
        Share(*plain["annotate"]),
        Share(*plain["lost"]),
        dict(plain["phases"]),
        dict(plain["edges"]),
        plain["unread"],
    )


def _pair(share: Share) -> list[int]:
    return [share.calls, share.signed]


def _added(one: Mapping[str, int] | None, other: Mapping[str, int] | None) -> Mapping[str, int]:
    return dict(Counter(one or {}) + Counter(other or {}))
