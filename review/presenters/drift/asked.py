"""What the address of the page of drift asks for, read with care and written back as links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from review.core.compliance.periods import Step
from review.core.readings import ReadingKind

#: Days back from today, and what each is called.
SPANS = {"90": "last 90 days", "365": "last 365 days", "1095": "last 3 years"}
STEPS = {"month": "by month", "quarter": "by quarter"}
#: Which readings are counted. Populations that were drawn otherwise are never added up, but for
#: whole calls that two people read.
KINDS: Mapping[str, tuple[str, frozenset[ReadingKind]]] = {
    "people": ("two people", frozenset({ReadingKind.DOUBLE, ReadingKind.DRIFT})),
    "double": ("before signing alone", frozenset({ReadingKind.DOUBLE})),
    "signed": ("after signing alone", frozenset({ReadingKind.DRIFT})),
    "critical": ("safety-critical rows", frozenset({ReadingKind.CRITICAL})),
    "machine": ("machine and person", frozenset({ReadingKind.SAMPLE})),
}
#: What is compared (design 4.6), and what it is called.
QUESTIONS = {
    "verdict": "verdict",
    "required": "required",
    "start": "start, same turn",
    "start_near": "start, within one turn",
    "finish": "finish, same turn",
    "edge": "critical edges",
}
_USUAL = {"days": "365", "step": "month", "kind": "people", "question": "verdict"}
_KNOWN = {"days": SPANS, "step": STEPS, "kind": KINDS, "question": QUESTIONS}
_LONGEST = 64


@dataclass(frozen=True, slots=True)
class DriftAsked:
    """Days back, how long a period is, which readings, and which question; `catalog` and `site` are
    slugs, empty for the catalog with the most readings and for all sites.
    """

    days: str = _USUAL["days"]
    step: str = _USUAL["step"]
    kind: str = _USUAL["kind"]
    question: str = _USUAL["question"]
    catalog: str = ""
    site: str = ""

    @property
    def query(self) -> str:
        """The address's query, "?" for what comes without one."""
        pairs = {
            name: getattr(self, name)
            for name in (*_USUAL, "catalog", "site")
            if getattr(self, name) != _USUAL.get(name, "")
        }
        return f"?{urlencode(pairs)}"

    @property
    def period(self) -> Step:
        """How long a period is, as the core names it."""
        return Step(self.step)

    @property
    def kinds(self) -> frozenset[ReadingKind]:
        """The kinds of readings that are counted."""
        return KINDS[self.kind][1]

    def turned(self, name: str, value: str) -> DriftAsked:
        """Return the same with one thing asked otherwise."""
        return replace(self, **{name: value})


def read_drift_asked(query: Mapping[str, str]) -> DriftAsked:
    """Read the address; what is unknown there is not asked for."""
    given = {name: query.get(name, "") for name in _USUAL}
    return DriftAsked(
        **{name: value if value in _KNOWN[name] else _USUAL[name] for name, value in given.items()},
        catalog=query.get("catalog", "")[:_LONGEST],
        site=query.get("site", "")[:_LONGEST],
    )
