"""What the address of a report card asks for, read with care and written back as links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from urllib.parse import urlencode

from review.core.compliance.samples import Selection
from review.presenters.figures_asked import SPANS

DEFAULT_DAYS = "90"
#: How the calls of a figure were chosen, and what that is called.
SAMPLES = {
    "": "all signed calls",
    "random": "random sample alone",
    "risk": "selected by risk alone",
}
_LONGEST = 64
_LONGEST_RATE = 12
_HIGHEST_RATE = Decimal(100_000)


@dataclass(frozen=True, slots=True)
class ReportAsked:
    """Days back from today, and which calls by site (slug), language, age group and sample; empty
    for all. `catalog` is a slug, of the page over versions; `rate` is what a minute costs, as it
    was typed.
    """

    days: str = DEFAULT_DAYS
    site: str = ""
    language: str = ""
    age: str = ""
    sample: str = ""
    catalog: str = ""
    rate: str = ""

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """What is asked for beside what comes by itself, as a form keeps it."""
        return (
            *(() if self.days == DEFAULT_DAYS else (("days", self.days),)),
            *((name, getattr(self, name)) for name in _FILTERS if getattr(self, name)),
        )

    @property
    def query(self) -> str:
        """The address's query, "?" for what comes without one."""
        return f"?{urlencode(self.pairs)}"

    @property
    def selection(self) -> Selection | None:
        """The sample as the core names it."""
        return Selection(self.sample.upper()) if self.sample else None

    def kept(self, *but: str) -> tuple[tuple[str, str], ...]:
        """Return what is asked for but these."""
        return tuple(pair for pair in self.pairs if pair[0] not in but)

    def turned(self, name: str, value: str) -> ReportAsked:
        """Return the same with one thing asked otherwise."""
        return replace(self, **{name: value})


_FILTERS = ("site", "language", "age", "sample", "catalog", "rate")


def read_report_asked(query: Mapping[str, str]) -> ReportAsked:
    """Read the address; what is unknown there is not asked for."""
    given = {name: query.get(name, "").strip()[:_LONGEST] for name in _FILTERS}
    days, sample = query.get("days", ""), given["sample"]
    return ReportAsked(
        **{
            **given,
            "days": days if days in SPANS else DEFAULT_DAYS,
            "sample": sample if sample in SAMPLES else "",
            "rate": given["rate"][:_LONGEST_RATE],
        }
    )


def read_rate(typed: str) -> tuple[Decimal | None, str]:
    """Return what a minute costs and what is wrong with it as typed; neither for nothing typed.

    >>> read_rate("1.20"), read_rate(""), read_rate("1,5")[1]
    ((Decimal('1.20'), ''), (None, ''), 'Write the cost of a minute as a number, such as 1.20.')
    """
    if not typed:
        return None, ""
    try:
        rate = Decimal(typed)
    except InvalidOperation:
        rate = Decimal("NaN")
    if not rate.is_finite():
        return None, "Write the cost of a minute as a number, such as 1.20."
    if not 0 <= rate <= _HIGHEST_RATE:
        return None, f"The cost of a minute is from 0 to {_HIGHEST_RATE:,}."
    return rate, ""
