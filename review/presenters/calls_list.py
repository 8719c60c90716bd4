"""The list of calls as one value: lines with marks, filters as links, pages, and why empty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from review.core.lifecycle import CallState
from review.presenters.calls_asked import Asked
from review.presenters.calls_filters import (
    Chip,
    Menu,
    filters_of_calls,
    number_of_calls,
    show_chips,
    show_menus,
)
from review.presenters.catalog_link import CatalogLink, link_catalog
from review.presenters.marks import Mark, outcome_mark
from review.presenters.places import anchor_of
from review.presenters.standing import state_words
from review.queries import CallLine, CallList
from review.queries.calls_list import MOST_COUNTED

#: A list page is short enough to be read and long enough not to be turned all the time.
PAGE_SIZE = 50


@dataclass(frozen=True, slots=True)
class Verdicts:
    """One of the three verdicts of a call."""

    name: str
    mark: Mark


@dataclass(frozen=True, slots=True)
class Line:
    """One call of the list. `anchor` is the place in its page that is looked at first."""

    id: UUID
    anchor: str
    title: str
    external_id: str
    site: str
    catalog: str
    judged_by: CatalogLink | None
    verdicts: tuple[Verdicts, ...]
    state: str
    sentence: str
    needs_mapping: bool
    flagged: int
    at_stake: int
    date: str
    turns: int


@dataclass(frozen=True, slots=True)
class CallsPage:
    """The page. With no lines, `empty` says why and `advice` what to do.

    `chips` are the filters that are on, each with the link that takes it away; `kept` are their
    names and values for the form that searches.
    """

    lines: tuple[Line, ...]
    shown: str
    text: str
    menus: tuple[Menu, ...]
    chips: tuple[Chip, ...]
    kept: tuple[tuple[str, str], ...]
    first: str
    newer: str
    older: str
    empty: str
    advice: str


def show_calls(found: CallList, asked: Asked) -> CallsPage:
    """Draw a page of calls."""
    whole = asked.at(None)
    filters = filters_of_calls(found)
    return CallsPage(
        lines=tuple(_line(line) for line in found.lines),
        shown=_shown(found, paged=bool(asked.place or found.older)),
        text=asked.narrowing.text or "",
        menus=show_menus(filters, whole, number_of_calls(found, whole)),
        chips=show_chips(filters, whole),
        kept=_kept(whole),
        first=whole.query if asked.place else "",
        newer=asked.at(found.newer).query if found.newer else "",
        older=asked.at(found.older).query if found.older else "",
        **_empty(found, asked),
    )


def _shown(found: CallList, *, paged: bool) -> str:
    if not found.lines:
        return ""
    total = f"more than {MOST_COUNTED:,}" if found.total is None else f"{found.total:,}"
    calls = "call" if found.total == 1 else "calls"
    return f"{len(found.lines)} of {total} {calls}" if paged else f"{total} {calls}"


def _kept(asked: Asked) -> tuple[tuple[str, str], ...]:
    pairs = asked.but(text=None).pairs
    return tuple(pairs.items())


def _line(line: CallLine) -> Line:
    return Line(
        id=line.id,
        anchor="" if line.focus_turn is None else f"#{anchor_of(line.focus_turn)}",
        title=line.title or line.external_id,
        external_id=line.external_id,
        site=line.site_name,
        catalog=line.catalog or "no catalog yet",
        judged_by=link_catalog(line.catalog),
        verdicts=show_verdicts(line),
        state=state_words(line.state),
        sentence=line.state_sentence,
        needs_mapping=line.state == CallState.NEEDS_MAPPING.value,
        flagged=line.flagged,
        at_stake=line.critical if line.order_safe in ("fail", "undetermined") else 0,
        date=line.call_date.isoformat() if line.call_date else "",
        turns=line.turn_count,
    )


def show_verdicts(line: CallLine) -> tuple[Verdicts, ...]:
    """Draw the three verdicts of a call."""
    outcomes = (
        ("Coverage", line.coverage),
        ("OrderSafe", line.order_safe),
        ("CallSuccess", line.call_success),
    )
    return tuple(Verdicts(name, outcome_mark(outcome)) for name, outcome in outcomes)


def _empty(found: CallList, asked: Asked) -> Mapping[str, str]:
    """Say why there is no line, and what to do."""
    if not found.sites:
        why = "You hold no role at a site whose calls are read."
        advice = "Ask an administrator to grant you a role at your site."
    elif asked.place is not None and found.total != 0:
        why, advice = "No call lies beyond this place of the list.", "Go back to its first page."
    elif asked.narrowing.text is not None:
        why = f"No call of your sites{_like(asked)} has the words “{asked.narrowing.text}”."
        advice = (
            "Ids, titles, phases and codes of flags and findings are searched, from the beginning "
            "of a word; what was said never is. Try fewer words or take a filter away."
        )
    elif asked.narrowing.asked:
        why, advice = "No call of your sites is like this.", "Take a filter away to see more."
    else:
        why = "No call has been imported for your sites yet."
        advice = (
            "A senior reviewer or compliance officer imports files with "
            "manage.py import_calls PATH --site SITE."
        )
    return {"empty": why, "advice": advice}


def _like(asked: Asked) -> str:
    return " with these filters" if len(asked.narrowing.asked) > 1 else ""
