"""How long flags wait: the ages of each class against its limit, and the rows one by one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import urlencode
from uuid import UUID

from review.core.queue import AGE_LIMITS, QueueClass, is_late
from review.presenters.calls_asked import read_moment, write_moment
from review.presenters.calls_filters import Option
from review.presenters.flags import flag_words
from review.presenters.queue import span_words
from review.queries.calls_list import SiteName
from review.queries.open_flags import ROW_CLASSES, ClassAge, FlagPlace, OpenFlag, OpenFlags

PAGE_SIZE = 50

_WORDS = {
    QueueClass.ORDER: "Order at stake",
    QueueClass.CRITICAL: "Safety-critical",
    QueueClass.AMBIGUOUS: "Ambiguous",
    QueueClass.DOUBT: "In doubt",
    QueueClass.SECOND: "Second person",
}
_PLACE = re.compile(r"([1-9])-([0-9]{1,18})-([0-9]{1,18})", re.ASCII)


@dataclass(frozen=True, slots=True)
class FlagsAsked:
    """What the address asks for: a site's slug, a class, only what is late, a place."""

    site: str | None = None
    kind: QueueClass | None = None
    late: bool = False
    place: FlagPlace | None = None

    @property
    def query(self) -> str:
        """The address's query."""
        pairs = {
            "site": self.site,
            "kind": self.kind.name.lower() if self.kind else None,
            "late": "yes" if self.late else None,
        }
        if self.place is not None:
            one = self.place
            name = "below" if one.forward else "above"
            pairs[name] = f"{one.rank}-{write_moment(one.since)}-{one.id}"
        return f"?{urlencode({name: value for name, value in pairs.items() if value})}"


def read_flags_asked(query: Mapping[str, str], sites: Mapping[str, object]) -> FlagsAsked:
    """Read the address; what is unknown there is not asked for. `sites` are those by slug."""
    kinds = {one.name.lower(): one for one in ROW_CLASSES}
    site = query.get("site", "")
    return FlagsAsked(
        site=site if site in sites else None,
        kind=kinds.get(query.get("kind", "")),
        late=query.get("late", "") == "yes",
        place=_place(query.get("below", ""), forward=True)
        or _place(query.get("above", ""), forward=False),
    )


@dataclass(frozen=True, slots=True)
class AgeLine:
    """The ages of one class in words; `tone` is fail where any row is past the limit."""

    words: str
    query: str
    current: bool
    number: str
    late: str
    late_query: str
    median: str
    oldest: str
    limit: str
    tone: str


@dataclass(frozen=True, slots=True)
class FlagLine:
    """One row that waits."""

    call_id: UUID
    title: str
    external_id: str
    site: str
    catalog: str
    phase: str
    kind: str
    flags: tuple[str, ...]
    waits: str
    limit: str
    late: bool


@dataclass(frozen=True, slots=True)
class FlagsPage:
    """The page. With no lines, `empty` says why."""

    ages: tuple[AgeLine, ...]
    sites: tuple[Option, ...]
    lines: tuple[FlagLine, ...]
    shown: str
    whole: str
    is_narrowed: bool
    first: str
    newer: str
    older: str
    empty: str


def show_open_flags(
    found: OpenFlags, asked: FlagsAsked, sites: tuple[SiteName, ...], at: datetime
) -> FlagsPage:
    """Draw the page."""
    top = replace(asked, place=None)
    waiting, late = (sum(getattr(one, name) for one in found.ages) for name in ("number", "late"))
    rows = "1 row waits" if waiting == 1 else f"{waiting:,} rows wait"
    return FlagsPage(
        ages=tuple(_age(one, top, at) for one in found.ages),
        sites=_sites(top, sites),
        lines=tuple(_line(one, at) for one in found.lines),
        shown=f"{rows} for a person, {late:,} past the limit",
        whole=replace(top, kind=None, late=False).query,
        is_narrowed=top.kind is not None or top.late,
        first=top.query if asked.place else "",
        newer=replace(top, place=found.newer).query if found.newer else "",
        older=replace(top, place=found.older).query if found.older else "",
        empty=_empty(asked),
    )


def _age(one: ClassAge, asked: FlagsAsked, at: datetime) -> AgeLine:
    own = replace(asked, kind=one.kind, late=False)
    return AgeLine(
        words=_WORDS[one.kind],
        query=own.query,
        current=asked.kind is one.kind,
        number=f"{one.number:,}",
        late=f"{one.late:,}",
        late_query=replace(own, late=True).query if one.late else "",
        median=span_words(at - one.median) if one.median else "",
        oldest=span_words(at - one.oldest) if one.oldest else "",
        limit=span_words(AGE_LIMITS[one.kind]),
        tone="fail" if one.late else "",
    )


def _sites(asked: FlagsAsked, sites: tuple[SiteName, ...]) -> tuple[Option, ...]:
    if len(sites) == 1:
        return ()
    every = Option("All your sites", replace(asked, site=None).query, asked.site is None, "")
    return every, *(
        Option(one.name, replace(asked, site=one.slug).query, asked.site == one.slug, "")
        for one in sites
    )


def _line(one: OpenFlag, at: datetime) -> FlagLine:
    return FlagLine(
        call_id=one.call_id,
        title=one.title or one.external_id,
        external_id=one.external_id,
        site=one.site_name,
        catalog=one.catalog,
        phase=one.phase,
        kind=_WORDS[one.kind],
        flags=tuple(map(flag_words, one.flags)),
        waits=span_words(at - one.since),
        limit=span_words(AGE_LIMITS[one.kind]),
        late=is_late(one.kind, one.since, at),
    )


def _empty(asked: FlagsAsked) -> str:
    if asked.place is not None:
        return "No row lies beyond this place of the list."
    if asked.kind is not None or asked.late:
        return "No row like this waits."
    return "No row of an open call waits for a person."


def _place(text: str, *, forward: bool) -> FlagPlace | None:
    found = _PLACE.fullmatch(text)
    since = None if found is None else read_moment(found.group(2))
    if found is None or since is None or int(found.group(3)) >= 2**63:
        return None
    return FlagPlace(int(found.group(1)), since, int(found.group(3)), forward)
