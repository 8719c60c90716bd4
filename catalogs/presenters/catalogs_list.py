"""The list of catalogs: one block per catalog, one line per version, and why it is empty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from uuid import UUID

from catalogs.models import VersionState
from catalogs.presenters.marks import NEUTRAL, Mark, rehearsal_mark
from catalogs.presenters.version_words import (
    RiskClass,
    days_words,
    plural,
    risk_class,
    state_tone,
    state_words,
    window_words,
)
from catalogs.queries import Outline, VersionLine


@dataclass(frozen=True, slots=True)
class Line:
    """One version. `risk` is None where its text cannot be read; then the figures are dashes."""

    id: UUID
    slug: str
    version: str
    state: str
    state_tone: str
    window: str
    risk: RiskClass | None
    phases: str
    edges: str
    rehearsal: Mark
    errors: int
    warnings: int
    is_linted: bool


@dataclass(frozen=True, slots=True)
class CatalogBlock:
    """One catalog with its versions."""

    slug: str
    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Filter:
    """A link that narrows the list; `query` is empty for the whole of it."""

    words: str
    query: str
    current: bool


@dataclass(frozen=True, slots=True)
class CatalogsPage:
    """The page. With no catalogs, `empty` says why and `advice` what to do."""

    catalogs: tuple[CatalogBlock, ...]
    shown: str
    states: tuple[Filter, ...]
    empty: str
    advice: str


def read_state(query: str) -> str | None:
    """Read the state that an address asks for; what is unknown there is not asked for."""
    asked = query.upper().replace("-", "_")
    return asked if asked in VersionState.values else None


def show_catalogs(
    found: Sequence[VersionLine], state: str | None, states: frozenset[str]
) -> CatalogsPage:
    """Draw the list. `states` are those whose versions the reader may see at all."""
    shown = [line for line in found if state is None or line.state == state]
    blocks = tuple(
        CatalogBlock(slug, lines[0].title, tuple(_line(line) for line in lines))
        for slug, group in groupby(shown, key=lambda line: line.slug)
        for lines in [list(group)]
    )
    why, advice = _empty(found, states)
    return CatalogsPage(
        catalogs=blocks,
        shown=f"{plural(len(blocks), 'catalog')}, {plural(len(shown), 'version')}",
        states=_filters(found, state, states),
        empty=why,
        advice=advice,
    )


def _line(line: VersionLine) -> Line:
    outline = line.outline
    return Line(
        id=line.id,
        slug=line.slug,
        version=line.version,
        state=state_words(line.state, line.trial),
        state_tone=state_tone(line.state, line.trial),
        window=days_words(line.effective_from, line.effective_to, line.trial)
        if line.trial
        else window_words(line.effective_from, line.effective_to),
        risk=risk_class(outline.critical, outline.grounds) if outline else None,
        phases=str(outline.phases) if outline else NEUTRAL,
        edges=_edges(outline) if outline else NEUTRAL,
        rehearsal=rehearsal_mark(line.is_green),
        errors=outline.errors if outline else 0,
        warnings=outline.warnings if outline else 0,
        is_linted=outline is not None,
    )


def _edges(outline: Outline) -> str:
    return f"{outline.critical} of {outline.edges}"


def _filters(
    found: Sequence[VersionLine], state: str | None, states: frozenset[str]
) -> tuple[Filter, ...]:
    """Offer the states that the reader may see, each with its number."""
    numbers = {one: sum(1 for line in found if line.state == one) for one in VersionState.values}
    each = tuple(
        Filter(
            words=f"{state_words(one)} {numbers[one]}",
            query=f"?state={state_words(one).replace(' ', '-')}",
            current=one == state,
        )
        for one in VersionState.values
        if one in states
    )
    return (Filter(f"all {len(found)}", "?", state is None), *each)


def _empty(found: Sequence[VersionLine], states: frozenset[str]) -> tuple[str, str]:
    if not states:
        return (
            "You hold no role yet, so there is nothing to read here.",
            "Ask an administrator to grant you a role.",
        )
    if found:
        return "No version stands like this.", "Take the filter away to see the others."
    return (
        "No catalog has been published yet.",
        "A catalog author writes one and submits it, an approver publishes it. The operator of a "
        "trial loads the shipped ones with manage.py load_demo.",
    )
