"""The access log in words: its filters as links, its days, its pages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from urllib.parse import urlencode
from uuid import UUID

from oipsce_site.ledger.openings import OpeningPlace
from oipsce_site.people.roles import Role
from review.presenters.calls_filters import Chip, Menu, Option
from review.presenters.compliance.asked import read_day, read_id
from review.queries.access_log import Access, AccessAsked, AccessList
from review.queries.calls_list import SiteName

PAGE_SIZE = 50
_PLACE = re.compile(r"([0-9]{1,18})-([0-9a-f]{32})-([0-9]{1,18})", re.ASCII)


@dataclass(frozen=True, slots=True)
class LogAsked:
    """What the address asks for; `site` is a slug."""

    site: str | None = None
    by: str | None = None
    call: str | None = None
    first: str | None = None
    last: str | None = None
    place: OpeningPlace | None = None

    @property
    def pairs(self) -> dict[str, str]:
        """The names and values of the address's query."""
        names = ("site", "by", "call", "first", "last")
        pairs = {name: getattr(self, name) for name in names}
        if self.place is not None:
            one = self.place
            name = "before" if one.forward else "after"
            pairs[name] = f"{one.at_us}-{one.chain_id.hex}-{one.seq}"
        return {name: value for name, value in pairs.items() if value}

    @property
    def query(self) -> str:
        """The address's query."""
        return f"?{urlencode(self.pairs)}"

    def but(self, **changes: str | None) -> LogAsked:
        """Return the same with other filters, from the beginning."""
        return replace(self, place=None, **changes)

    def wanted(self, sites: Mapping[str, UUID]) -> AccessAsked:
        """Return what is asked of the log; `sites` are ids by slug."""
        return AccessAsked(
            site=None if self.site is None else sites[self.site],
            by=None if self.by is None else UUID(self.by),
            call_id=None if self.call is None else UUID(self.call),
            first=None if self.first is None else date.fromisoformat(self.first),
            last=None if self.last is None else date.fromisoformat(self.last),
        )


def read_log_asked(query: Mapping[str, str], sites: Mapping[str, object]) -> LogAsked:
    """Read the address; what is unknown there is not asked for. `sites` are those by slug."""
    site = query.get("site", "")
    return LogAsked(
        site=site if site in sites else None,
        by=read_id(query.get("by", "")),
        call=read_id(query.get("call", "")),
        first=read_day(query.get("first", "")),
        last=_not_the_last(read_day(query.get("last", ""))),
        place=_place(query.get("before", ""), forward=True)
        or _place(query.get("after", ""), forward=False),
    )


@dataclass(frozen=True, slots=True)
class AccessLine:
    """One opening; `same_call` is the link to all openings of its call."""

    call_id: UUID
    title: str
    external_id: str
    site: str
    who: str
    role: str
    at: datetime
    review: str
    same_call: str


@dataclass(frozen=True, slots=True)
class AccessPage:
    """The page. With no lines, `empty` says why."""

    lines: tuple[AccessLine, ...]
    menus: tuple[Menu, ...]
    chips: tuple[Chip, ...]
    periods: tuple[Option, ...]
    kept: tuple[tuple[str, str], ...]
    first_day: str
    last_day: str
    query: str
    shown: str
    first: str
    newer: str
    older: str
    empty: str


def show_access(
    found: AccessList,
    asked: LogAsked,
    sites: tuple[SiteName, ...],
    people: tuple[tuple[UUID, str], ...],
    today: date,
) -> AccessPage:
    """Draw a page of the access log."""
    whole = asked.but()
    names = {str(pk): name for pk, name in people}
    site_words = {one.slug: one.name for one in sites}
    menus = [_menu("Opened by", "by", names, whole, "anybody")]
    if len(sites) > 1:
        menus.insert(0, _menu("Site", "site", site_words, whole, "all your sites"))
    return AccessPage(
        lines=tuple(_line(one, asked) for one in found.lines),
        menus=tuple(menus),
        chips=_chips(whole, names, site_words),
        periods=_periods(whole, today),
        kept=tuple(asked.but(first=None, last=None).pairs.items()),
        first_day=asked.first or "",
        last_day=asked.last or "",
        query=whole.query,
        shown=f"{len(found.lines)} openings" if found.lines else "",
        first=whole.query if asked.place else "",
        newer=replace(asked, place=found.newer).query if found.newer else "",
        older=replace(asked, place=found.older).query if found.older else "",
        empty=_empty(asked),
    )


def _line(one: Access, asked: LogAsked) -> AccessLine:
    opening = one.opening
    return AccessLine(
        call_id=opening.call_id,
        title=one.title,
        external_id=one.external_id,
        site=one.site_name,
        who=one.who,
        role=_role(opening.role),
        at=opening.at,
        review="" if opening.review is None else f"review {opening.review}",
        same_call=asked.but(call=str(opening.call_id)).query,
    )


def _role(name: str) -> str:
    return str(Role(name).label) if name in Role.values else name


def _menu(name: str, field: str, values: Mapping[str, str], asked: LogAsked, anything: str) -> Menu:
    now = getattr(asked, field)
    options = [Option(anything, asked.but(**{field: None}).query, now is None, "")]
    options += [
        Option(words, asked.but(**{field: value}).query, value == now, "")
        for value, words in values.items()
    ]
    return Menu(name, values.get(now or "", "chosen" if now else ""), tuple(options))


def _chips(
    asked: LogAsked, people: Mapping[str, str], sites: Mapping[str, str]
) -> tuple[Chip, ...]:
    said = (
        ("site", "Site", sites.get(asked.site or "", "")),
        ("by", "Opened by", people.get(asked.by or "", "somebody else")),
        ("call", "Call", (asked.call or "")[:8]),
        ("first", "From", asked.first or ""),
        ("last", "To", asked.last or ""),
    )
    return tuple(
        Chip(name, words, asked.but(**{field: None}).query)
        for field, name, words in said
        if getattr(asked, field) is not None
    )


def _periods(asked: LogAsked, today: date) -> tuple[Option, ...]:
    every = asked.first is None and asked.last is None
    options = [Option("All dates", asked.but(first=None, last=None).query, every, "")]
    for words, days in (("Today", 0), ("Last 7 days", 6), ("Last 30 days", 29)):
        first, last = (today - timedelta(days=days)).isoformat(), today.isoformat()
        current = (asked.first, asked.last) == (first, last)
        options.append(Option(words, asked.but(first=first, last=last).query, current, ""))
    return tuple(options)


def _empty(asked: LogAsked) -> str:
    if asked.place is not None:
        return "No opening lies beyond this place of the log."
    if asked.but().pairs:
        return "No opening is like this."
    return "Nobody has opened a call of your sites yet."


def _not_the_last(day: str | None) -> str | None:
    # The day after it is asked for, and the calendar ends.
    return None if day == date.max.isoformat() else day


def _place(text: str, *, forward: bool) -> OpeningPlace | None:
    found = _PLACE.fullmatch(text)
    if found is None:
        return None
    at, chain, seq = found.groups()
    return OpeningPlace(int(at), UUID(chain), int(seq), forward)
