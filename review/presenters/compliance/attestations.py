"""Attestations and the counts that they are of, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from review.core.compliance.attestation import COUNTS, Universe
from review.core.compliance.periods import Period, Step, period_of
from review.presenters.calls_filters import Option
from review.queries.attestations import AttestationLine
from review.queries.calls_list import SiteName

_OFFERED = {Step.MONTH: 6, Step.QUARTER: 4}
#: Counts that an officer looks at twice.
_GRAVE = frozenset({"overdue", "drawn_open", "reopened", "failed_both"})


@dataclass(frozen=True, slots=True)
class PeriodAsked:
    """What the address asks for: a site's slug, and a period that is over."""

    site: str
    period: Period

    @property
    def query(self) -> str:
        """The address's query."""
        given = {
            "site": self.site,
            "step": self.period.step.value,
            "first": self.period.first.isoformat(),
        }
        return f"?{urlencode(given)}"


@dataclass(frozen=True, slots=True)
class CountLine:
    """One count with its words; `grave` where it is one to look at twice."""

    words: str
    number: str
    grave: bool


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts of a universe or record."""

    lines: tuple[CountLine, ...]
    versions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownAttestation:
    """One attestation of the list."""

    id: UUID
    period: str
    site: str
    by: str
    role: str
    at: datetime
    number: int
    superseded: bool
    digest: str
    supersedes: str
    statement: str
    assurance: str
    counts: Counts


def read_period(query: Mapping[str, str], sites: tuple[SiteName, ...], today: date) -> PeriodAsked:
    """Read the address; what is unknown there is the first site, and the last month."""
    slugs = [one.slug for one in sites]
    site = query.get("site", "")
    step = Step.QUARTER if query.get("step") == Step.QUARTER.value else Step.MONTH
    last = period_of(period_of(today, step).first - timedelta(days=1), step)
    try:
        asked = period_of(date.fromisoformat(query.get("first", "")), step)
    except (ValueError, OverflowError):
        asked = last
    period = asked if asked.last < today else last
    return PeriodAsked(site if site in slugs else slugs[0], period)


def offer_periods(asked: PeriodAsked, today: date) -> tuple[Option, ...]:
    """Draw the links to the last months and quarters that are over."""
    options = []
    for step, number in _OFFERED.items():
        one = period_of(today, step)
        for _ in range(number):
            one = period_of(one.first - timedelta(days=1), step)
            query = PeriodAsked(asked.site, one).query
            options.append(Option(one.name, query, one == asked.period, ""))
    return tuple(options)


def offer_sites(asked: PeriodAsked, sites: tuple[SiteName, ...]) -> tuple[Option, ...]:
    """Draw the links to other sites; nothing where there is one."""
    if len(sites) == 1:
        return ()
    return tuple(
        Option(one.name, PeriodAsked(one.slug, asked.period).query, one.slug == asked.site, "")
        for one in sites
    )


def show_universe(one: Universe) -> Counts:
    """Draw counts as they are now."""
    return _counts(one.counts, one.versions.items())


def show_attestations(lines: Iterable[AttestationLine]) -> tuple[ShownAttestation, ...]:
    """Draw attestations as they were made."""
    return tuple(map(_show, lines))


def _show(one: AttestationLine) -> ShownAttestation:
    record: dict[str, Any] = one.record
    universe = record["universe"]
    return ShownAttestation(
        id=one.id,
        period=_period_words(one.first, one.last),
        site=one.site_name,
        by=record["by"]["printed_name"],
        role=record["by"]["role"].replace("_", " "),
        at=one.at,
        number=one.number,
        superseded=one.superseded,
        digest=one.digest,
        supersedes=record["supersedes"] or "",
        statement=record["statement"],
        assurance=record["assurance"],
        counts=_counts(universe["counts"], universe["versions"]),
    )


def _counts(counts: Mapping[str, int], versions: Iterable[tuple[str, int]]) -> Counts:
    return Counts(
        lines=tuple(
            CountLine(words, f"{counts[name]:,}", name in _GRAVE and counts[name] > 0)
            for name, words in COUNTS.items()
        ),
        versions=tuple(f"{name}: {number:,} signed" for name, number in versions),
    )


def _period_words(first: date, last: date) -> str:
    for step in (Step.MONTH, Step.QUARTER):
        one = period_of(first, step)
        if (one.first, one.last) == (first, last):
            return one.name
    return f"{first:%-d %b %Y} to {last:%-d %b %Y}"
