"""What the address of a page of signed calls asks for, read with care and written back as links."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from urllib.parse import urlencode
from uuid import UUID

from review.core.compliance.periods import Step
from review.core.compliance.samples import Selection
from review.presenters.calls_asked import (
    read_moment,
    read_narrowing,
    write_moment,
    write_narrowing,
)
from review.queries.signed_calls import SignedNarrowing, SignedPlace

#: The selections as an address names them.
SAMPLES = tuple(one.value.lower() for one in Selection)
#: The periods that a plot may have.
STEPS = (Step.MONTH.value, Step.WEEK.value)

_PLACE = re.compile(r"([0-9]{1,18})-([0-9]{1,18})", re.ASCII)
_EDGE = re.compile(r"[A-Za-z0-9_.:-]{1,200}>[A-Za-z0-9_.:-]{1,200}", re.ASCII)
_NAME = re.compile(r"[A-Za-z0-9_.:-]{1,200}[>/][A-Za-z0-9_.:-]{1,200}", re.ASCII)
_VERSION = re.compile(r"[0-9A-Za-z.+-]{1,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class SignedAsked:
    """What the address asks for; `step` and `about` are the plots' alone, an edge or item."""

    narrowing: SignedNarrowing = field(default_factory=SignedNarrowing)
    place: SignedPlace | None = None
    step: Step = Step.MONTH
    about: str | None = None

    @property
    def pairs(self) -> dict[str, str]:
        """The names and values of the address's query."""
        one = self.narrowing
        pairs = {
            **write_narrowing(one),
            "version": one.version,
            "edge": one.edge,
            "reviewer": one.reviewer,
            "sample": one.sample,
            "first": one.first,
            "last": one.last,
            "step": self.step.value if self.step is not Step.MONTH else None,
            "about": self.about,
        }
        if self.place is not None:
            name = "before" if self.place.forward else "after"
            pairs[name] = f"{write_moment(self.place.at)}-{self.place.id}"
        return {name: value for name, value in pairs.items() if value}

    @property
    def query(self) -> str:
        """The address's query, "?" for the whole list."""
        return f"?{urlencode(self.pairs)}"

    def but(self, **changes: str | None) -> SignedAsked:
        """Return the same with other filters, from the list's beginning.

        Another catalog takes its version and edge away: they are of the one before.
        """
        if "catalog" in changes:
            changes = {"version": None, "edge": None, **changes}
        about = None if "catalog" in changes else self.about
        return SignedAsked(replace(self.narrowing, **changes), None, self.step, about)

    def at(self, place: SignedPlace | None) -> SignedAsked:
        """Return the same from another place."""
        return replace(self, place=place)

    def by(self, step: Step) -> SignedAsked:
        """Return the same by other periods."""
        return replace(self, step=step)

    def on(self, about: str | None) -> SignedAsked:
        """Return the same about another edge or item."""
        return replace(self, about=about)


def read_signed_asked(query: Mapping[str, str]) -> SignedAsked:
    """Read the address; what is unknown there is not asked for."""
    common = read_narrowing(query)
    step, sample = query.get("step", ""), query.get("sample", "")
    return SignedAsked(
        SignedNarrowing(
            site=common["site"],
            catalog=common["catalog"],
            verdict=common["verdict"],
            version=_matching(_VERSION, query.get("version", "")),
            edge=_matching(_EDGE, query.get("edge", "")),
            reviewer=read_id(query.get("reviewer", "")),
            sample=sample if sample in SAMPLES else None,
            first=read_day(query.get("first", "")),
            last=read_day(query.get("last", "")),
        ),
        _place(query.get("before", ""), forward=True)
        or _place(query.get("after", ""), forward=False),
        Step(step) if step in STEPS else Step.MONTH,
        _matching(_NAME, query.get("about", "")),
    )


def read_day(text: str) -> str | None:
    """Return a day as ISO writes it; None for what is none."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return None


def read_id(text: str) -> str | None:
    """Return an id as it is written; None for what is none."""
    try:
        return str(UUID(text))
    except ValueError:
        return None


def _matching(form: re.Pattern[str], text: str) -> str | None:
    return text if form.fullmatch(text) else None


def _place(text: str, *, forward: bool) -> SignedPlace | None:
    found = _PLACE.fullmatch(text)
    at = None if found is None else read_moment(found.group(1))
    if found is None or at is None or int(found.group(2)) >= 2**63:
        return None
    return SignedPlace(at, int(found.group(2)), forward)
