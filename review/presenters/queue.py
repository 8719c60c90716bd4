"""The queue as one value: why each call is here, for how long, who is at it, and what to press."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from oipsce_site.people.models import User
from review.core.queue import AGE_LIMITS, BLIND_CLASSES, QueueClass, is_late, say_why
from review.presenters.calls_filters import (
    AGE_PAIRS,
    Chip,
    Filter,
    Menu,
    Number,
    Option,
    catalog_filter,
    flag_filter,
    show_chips,
    show_menus,
    show_options,
    site_filter,
    verdict_filter,
)
from review.presenters.calls_list import Verdicts, show_verdicts
from review.presenters.catalog_link import CatalogLink, link_catalog
from review.presenters.queue_asked import QueueAsked
from review.queries.calls_list import MOST_COUNTED
from review.queries.queue_list import COUNTED, LATE, QueueLine, QueueList

_KIND_WORDS = {
    QueueClass.ORDER: "Order at stake",
    QueueClass.CRITICAL: "Critical",
    QueueClass.AMBIGUOUS: "Ambiguous",
    QueueClass.SAMPLE: "Sample, blind",
    QueueClass.DOUBT: "Doubts",
    QueueClass.SECOND: "Second person",
    QueueClass.READY: "Ready to sign",
    QueueClass.BLIND: "Second reading, blind",
    QueueClass.DIFFERENT: "Readings differ",
}
_TONES = {
    QueueClass.ORDER: "fail",
    QueueClass.SAMPLE: "muted",
    QueueClass.READY: "muted",
    QueueClass.BLIND: "muted",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One call of the queue. `held` says who is at it ("": nobody); `press` is its button's word.
    One that is read `blind` has a page of its own until it was; one whose two readings differ
    (`differs`) has one for its differences.

    `waiting` is how long it has been here, `limit` how long it may be, `late` that it is over.
    """

    id: UUID
    title: str
    external_id: str
    site: str
    catalog: str
    judged_by: CatalogLink | None
    verdicts: tuple[Verdicts, ...]
    why: str
    tone: str
    waiting: str
    limit: str
    late: bool
    held: str
    assigned: str
    press: str
    blind: bool
    differs: bool


@dataclass(frozen=True, slots=True)
class QueuePage:
    """The page. With no lines, `empty` says why and `advice` what to do.

    `tabs` are the classes as links; `query` is the address's, for the form that takes the next.
    """

    lines: tuple[Line, ...]
    shown: str
    text: str
    query: str
    may_take: bool
    tabs: tuple[Option, ...]
    menus: tuple[Menu, ...]
    chips: tuple[Chip, ...]
    kept: tuple[tuple[str, str], ...]
    first: str
    before: str
    after: str
    empty: str
    advice: str


def show_queue(
    found: QueueList, asked: QueueAsked, person: User, at: datetime, *, may_take: bool
) -> QueuePage:
    """Draw a page of the queue; `may_take` says that the person decides calls somewhere."""
    whole = asked.at(None)
    filters, number = _filters(found), _number(found, whole)
    return QueuePage(
        lines=tuple(_line(one, person, at, may_take=may_take) for one in found.lines),
        shown=_shown(found, asked),
        text=asked.narrowing.text or "",
        query=whole.query,
        may_take=may_take,
        tabs=(*show_options(_kinds(), whole, number), *_mine(found, whole)),
        menus=show_menus(filters, whole, number),
        chips=show_chips((_kinds(), *filters), whole),
        kept=tuple(whole.but(text=None).pairs.items()),
        first=whole.query if asked.place else "",
        before=asked.at(found.before).query if found.before else "",
        after=asked.at(found.after).query if found.after else "",
        **_empty(found, asked, may_take=may_take),
    )


def _kinds() -> Filter:
    values = tuple((kind.name.lower(), words) for kind, words in _KIND_WORDS.items())
    return Filter("kind", "Why here", "All", values)


def _mine(found: QueueList, asked: QueueAsked) -> tuple[Option, ...]:
    """Return the links to what is held now."""
    return tuple(
        Option(words, asked.but(held=held).query, asked.narrowing.held == held, f"{number:,}")
        for held, words, number in (
            ("mine", "You hold", found.mine),
            ("others", "Others hold", found.others),
        )
    )


def _filters(found: QueueList) -> tuple[Filter, ...]:
    held = (("free", "nobody"), ("mine", "you"), ("others", "others"))
    assigned = (("me", "you"), ("others", "others"), ("nobody", "nobody"))
    return (
        verdict_filter(),
        flag_filter(),
        catalog_filter(found.catalogs),
        site_filter(found.sites),
        Filter("age", "Received", "at any time", ((LATE, "past its limit"), *AGE_PAIRS)),
        Filter("held", "Held by", "anybody or nobody", held),
        Filter("assigned", "Assigned to", "anybody or nobody", assigned),
    )


def _number(found: QueueList, asked: QueueAsked) -> Number:
    narrowed = {name: getattr(asked.narrowing, name) for name in COUNTED}

    def number(field: str, value: str | None) -> str:
        counted = found.count(**{**narrowed, field: value}) if field in COUNTED else None
        return "" if counted is None else f"{counted:,}"

    return number


def _shown(found: QueueList, asked: QueueAsked) -> str:
    if not found.lines:
        return ""
    total = f"more than {MOST_COUNTED:,}" if found.total is None else f"{found.total:,}"
    calls = "call asks" if found.total == 1 else "calls ask"
    part = f"{len(found.lines)} of " if asked.place or found.after else ""
    return f"{part}{total} {calls} for a person"


def _line(one: QueueLine, person: User, at: datetime, *, may_take: bool) -> Line:
    line, kind, hold = one.line, one.placed.kind, one.hold
    mine = hold.is_of(person, at)
    held = ""
    if hold.until is not None and hold.is_live(at):
        held = f"{'you' if mine else hold.who}, until {hold.until:%H:%M} UTC"
    return Line(
        id=line.id,
        title=line.title or line.external_id,
        external_id=line.external_id,
        site=line.site_name,
        catalog=line.catalog or "no catalog",
        judged_by=link_catalog(line.catalog),
        verdicts=() if kind in BLIND_CLASSES else show_verdicts(line),
        why=say_why(one.placed, one.edge),
        tone=_TONES.get(kind, "unknown"),
        waiting=span_words(at - line.received_at),
        limit=span_words(AGE_LIMITS[kind]),
        late=is_late(kind, line.received_at, at),
        held=held,
        assigned=_assigned(one, person),
        press="" if not may_take or (held and not mine) else "Continue" if mine else "Review",
        blind=kind in BLIND_CLASSES,
        differs=kind is QueueClass.DIFFERENT,
    )


def _assigned(one: QueueLine, person: User) -> str:
    if one.hold.assigned_to is None:
        return ""
    return "you" if one.hold.assigned_to == person.pk else one.hold.assigned_who


def span_words(span: timedelta) -> str:
    """Write a span of time as a list does.

    >>> span_words(timedelta(hours=46)), span_words(timedelta(hours=9)), span_words(timedelta(0))
    ('1 d 22 h', '9 h', '0 min')
    """
    minutes = max(0, int(span.total_seconds()) // 60)
    days, hours = minutes // 1440, minutes // 60 % 24
    if days:
        return f"{days} d {hours} h" if hours else f"{days} d"
    return f"{hours} h" if hours else f"{minutes} min"


def _empty(found: QueueList, asked: QueueAsked, *, may_take: bool) -> Mapping[str, str]:
    """Say why there is no line, and what to do."""
    narrowing = asked.narrowing
    if not found.sites:
        why = "You hold no role at a site whose calls are read."
        advice = "Ask an administrator to grant you a role at your site."
    elif asked.place is not None and found.total != 0:
        why, advice = "No call lies beyond this place of the queue.", "Go back to its first page."
    elif narrowing.asked:
        why = "No call of the queue is like this."
        advice = "Take a filter away to see the others."
    else:
        why = "No call of your sites asks for a person."
        advice = "What is imported comes here as soon as its pre-fill is done."
        if may_take:
            advice += " Calls that wait for their mapping stand under Calls."
    return {"empty": why, "advice": advice}
