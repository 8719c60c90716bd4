"""The list of calls as one value: lines with marks, filters as links, pages, and why empty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode
from uuid import UUID

from review.core.lifecycle import CallState
from review.presenters.marks import Mark, outcome_mark
from review.presenters.standing import state_words
from review.queries import CallLine, CallList

#: A list page is short enough to be read and long enough not to be turned all the time.
PAGE_SIZE = 50

#: What CallSuccess can be, the gravest first.
VERDICTS = ("fail", "undetermined", "pass")


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address asks for. Pages count from 1."""

    state: str | None = None
    verdict: str | None = None
    page: int = 1

    @property
    def is_narrowed(self) -> bool:
        """Whether any filter is on."""
        return self.state is not None or self.verdict is not None

    @property
    def offset(self) -> int:
        """How many calls lie on earlier pages."""
        return (self.page - 1) * PAGE_SIZE


@dataclass(frozen=True, slots=True)
class Verdicts:
    """One of the three verdicts of a call."""

    name: str
    mark: Mark


@dataclass(frozen=True, slots=True)
class Line:
    """One call of the list."""

    id: UUID
    title: str
    external_id: str
    site: str
    catalog: str
    verdicts: tuple[Verdicts, ...]
    state: str
    sentence: str
    needs_mapping: bool
    flagged: int
    at_stake: int
    date: str
    turns: int


@dataclass(frozen=True, slots=True)
class Filter:
    """A link that narrows the list; `query` is empty for the whole of it."""

    words: str
    query: str
    current: bool


@dataclass(frozen=True, slots=True)
class CallsPage:
    """The page. With no lines, `empty` says why and `advice` what to do."""

    lines: tuple[Line, ...]
    total: int
    shown: str
    states: tuple[Filter, ...]
    verdicts: tuple[Filter, ...]
    previous: str
    next: str
    empty: str
    advice: str


def read_asked(query: dict[str, str]) -> Asked:
    """Read the address; what is unknown there is not asked for."""
    state, page = query.get("state", ""), query.get("page", "")
    verdict = query.get("verdict", "")
    return Asked(
        state=state.upper() if state.upper() in CallState.__members__ else None,
        verdict=verdict if verdict in VERDICTS else None,
        page=int(page) if page.isascii() and page.isdigit() and 0 < int(page) < 10_000 else 1,
    )


def show_calls(found: CallList, asked: Asked, *, sees_any_site: bool) -> CallsPage:
    """Draw a page of calls."""
    last = asked.offset + len(found.lines)
    return CallsPage(
        lines=tuple(_line(line) for line in found.lines),
        total=found.total,
        shown=f"{asked.offset + 1} to {last} of {found.total}" if found.lines else "",
        states=_states(asked),
        verdicts=_verdict_filters(asked),
        previous=_query(replace(asked, page=asked.page - 1)) if asked.page > 1 else "",
        next=_query(replace(asked, page=asked.page + 1)) if last < found.total else "",
        **_empty(narrowed=asked.is_narrowed, beyond=found.total > 0, sees_any_site=sees_any_site),
    )


def _line(line: CallLine) -> Line:
    outcomes = (
        ("Coverage", line.coverage),
        ("OrderSafe", line.order_safe),
        ("CallSuccess", line.call_success),
    )
    return Line(
        id=line.id,
        title=line.title or line.external_id,
        external_id=line.external_id,
        site=line.site_name,
        catalog=line.catalog or "no catalog yet",
        verdicts=tuple(Verdicts(name, outcome_mark(outcome)) for name, outcome in outcomes),
        state=state_words(line.state),
        sentence=line.state_sentence,
        needs_mapping=line.state == CallState.NEEDS_MAPPING.value,
        flagged=line.flagged,
        at_stake=line.critical if line.order_safe in ("fail", "undetermined") else 0,
        date=line.call_date.isoformat() if line.call_date else "",
        turns=line.turn_count,
    )


def _states(asked: Asked) -> tuple[Filter, ...]:
    options: Sequence[str | None] = (None, *(state.value for state in CallState))
    return tuple(
        Filter(
            words=state_words(state) if state else "all states",
            query=_query(replace(asked, state=state, page=1)),
            current=state == asked.state,
        )
        for state in options
    )


def _verdict_filters(asked: Asked) -> tuple[Filter, ...]:
    options: Sequence[str | None] = (None, *VERDICTS)
    return tuple(
        Filter(
            words=verdict or "all verdicts",
            query=_query(replace(asked, verdict=verdict, page=1)),
            current=verdict == asked.verdict,
        )
        for verdict in options
    )


def _query(asked: Asked) -> str:
    pairs = {
        "state": asked.state.lower() if asked.state else None,
        "verdict": asked.verdict,
        "page": str(asked.page) if asked.page > 1 else None,
    }
    words = urlencode({name: value for name, value in pairs.items() if value})
    return f"?{words}" if words else "?"


def _empty(*, narrowed: bool, beyond: bool, sees_any_site: bool) -> dict[str, str]:
    if not sees_any_site:
        why = "You hold no role at a site whose calls are read."
        advice = "Ask an administrator to grant you a role at your site."
    elif beyond:
        why, advice = "The list has no page with this number.", "Go back to its first page."
    elif narrowed:
        why, advice = "No call of your sites is like this.", "Take a filter away to see more."
    else:
        why = "No call has been imported for your sites yet."
        advice = (
            "A senior reviewer or compliance officer imports files with "
            "manage.py import_calls PATH --site SITE."
        )
    return {"empty": why, "advice": advice}
