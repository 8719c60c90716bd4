"""Disputes in words: the list as its address asks for it, and one by itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from review.core.compliance.disputes import Shown, Standing
from review.models import DisputedResult, DisputeKind
from review.presenters.calls_asked import read_moment, write_moment
from review.presenters.calls_filters import Option
from review.presenters.queue import span_words
from review.queries.calls_list import SiteName
from review.queries.disputes import DisputeLine, DisputeList, DisputePlace, DisputesWanted

PAGE_SIZE = 50

_TABS = {
    Shown.OPEN: "Wait for an answer",
    Shown.OVERDUE: "Overdue",
    Shown.ANSWERED: "Answered",
    Shown.ALL: "All",
}
_STANDINGS = {
    Standing.OPEN: ("waits for an answer", "unknown"),
    Standing.OVERDUE: ("overdue", "fail"),
    Standing.UPHELD: ("upheld", "pass"),
    Standing.OVERTURNED: ("overturned", "fail"),
    Standing.WITHDRAWN: ("withdrawn", "muted"),
    Standing.ERASED: ("ended: the call was erased", "muted"),
}
_EMPTY = {
    Shown.OPEN: "No dispute waits for an answer.",
    Shown.OVERDUE: "No dispute is overdue.",
    Shown.ANSWERED: "No dispute was answered yet.",
    Shown.ALL: "Nobody has disputed a signed call.",
}
_PLACE = re.compile(r"([0-9]{1,18})-([0-9a-f]{32})", re.ASCII)


@dataclass(frozen=True, slots=True)
class DisputesAsked:
    """What the address asks for."""

    wanted: DisputesWanted

    @property
    def query(self) -> str:
        """The address's query."""
        place = self.wanted.place
        pairs = {
            "show": self.wanted.shown.value,
            "site": self.wanted.site,
            "after": f"{write_moment(place.at)}-{place.id.hex}" if place else None,
        }
        return f"?{urlencode({name: value for name, value in pairs.items() if value})}"

    def but(self, **changes: Any) -> DisputesAsked:
        """Return the same with other filters, from the list's beginning unless a place is given."""
        return DisputesAsked(replace(self.wanted, **{"place": None, **changes}))


def read_disputes_asked(query: Mapping[str, str], sites: tuple[SiteName, ...]) -> DisputesAsked:
    """Read the address; what is unknown there is not asked for."""
    shown = {one.value: one for one in Shown}
    site = query.get("site", "")
    return DisputesAsked(
        DisputesWanted(
            shown=shown.get(query.get("show", ""), Shown.OPEN),
            site=site if site in {one.slug for one in sites} else None,
            place=_place(query.get("after", "")),
        )
    )


def _place(text: str) -> DisputePlace | None:
    found = _PLACE.fullmatch(text)
    at = None if found is None else read_moment(found.group(1))
    return None if found is None or at is None else DisputePlace(at, UUID(found.group(2)))


@dataclass(frozen=True, slots=True)
class ShownDispute:
    """One dispute; `left` says how long its answer may still take, or by how much it is late."""

    id: UUID
    call_id: UUID
    title: str
    external_id: str
    is_erased: bool
    site: str
    of: str
    phase: str
    kind: str
    filer: str
    at: datetime
    due: datetime
    standing: str
    tone: str
    left: str
    late: bool
    waits: bool
    overturned: bool
    answerer: str
    ended_at: datetime | None
    signer: str
    signed_at: datetime
    stands: bool


@dataclass(frozen=True, slots=True)
class DisputesPage:
    """The list. With no lines, `empty` says why."""

    tabs: tuple[Option, ...]
    sites: tuple[Option, ...]
    lines: tuple[ShownDispute, ...]
    said: str
    first: str
    next: str
    empty: str


def show_disputes(
    found: DisputeList, asked: DisputesAsked, sites: tuple[SiteName, ...], at: datetime
) -> DisputesPage:
    """Draw the list."""
    number, late = found.counts[Shown.OPEN], found.counts[Shown.OVERDUE]
    waiting = "1 dispute waits" if number == 1 else f"{number:,} disputes wait"
    wanted = asked.wanted
    beyond = "No dispute lies beyond this place of the list."
    return DisputesPage(
        tabs=tuple(
            Option(words, asked.but(shown=one).query, one is wanted.shown, f"{found.counts[one]:,}")
            for one, words in _TABS.items()
        ),
        sites=_sites(asked, sites),
        lines=tuple(show_dispute(one, at) for one in found.lines),
        said=f"{waiting} for an answer, {late:,} past the limit",
        first=asked.but().query if wanted.place else "",
        next=asked.but(place=found.next).query if found.next else "",
        empty=beyond if wanted.place else _EMPTY[wanted.shown],
    )


def show_dispute(one: DisputeLine, at: datetime) -> ShownDispute:
    """Draw one dispute as it stands at a time."""
    words, tone = _STANDINGS[one.standing]
    late = one.standing is Standing.OVERDUE
    span = span_words(abs(one.due - at))
    return ShownDispute(
        id=one.id,
        call_id=one.call_id,
        title=one.title or one.external_id,
        external_id=one.external_id,
        is_erased=one.is_erased,
        site=one.site_name,
        of=one.phase or str(DisputedResult(one.result).label),
        phase=one.phase,
        kind=str(DisputeKind(one.kind).label),
        filer=one.filer,
        at=one.at,
        due=one.due,
        standing=words,
        tone=tone,
        left=(f"{span} late" if late else f"{span} left") if one.standing.waits else "",
        late=late,
        waits=one.standing.waits,
        overturned=one.standing is Standing.OVERTURNED,
        answerer=one.answerer,
        ended_at=one.ended_at,
        signer=one.signer,
        signed_at=one.signed_at,
        stands=one.stands,
    )


def _sites(asked: DisputesAsked, sites: tuple[SiteName, ...]) -> tuple[Option, ...]:
    if len(sites) == 1:
        return ()
    own = asked.wanted.site
    every = Option("All your sites", asked.but(site=None).query, own is None, "")
    return every, *(
        Option(one.name, asked.but(site=one.slug).query, own == one.slug, "") for one in sites
    )
