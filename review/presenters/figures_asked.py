"""What the address of the figures asks for, read with care and written back as links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

#: Spans of days back from now, and what each is called.
SPANS = {"7": "last 7 days", "30": "last 30 days", "90": "last 90 days", "365": "last 365 days"}
DEFAULT = "30"


@dataclass(frozen=True, slots=True)
class FiguresAsked:
    """How many days back, and at which site by its slug; empty for all that the person sees."""

    days: str = DEFAULT
    site: str = ""

    @property
    def query(self) -> str:
        """The address's query, "?" for what comes without one."""
        pairs = {"days": "" if self.days == DEFAULT else self.days, "site": self.site}
        return f"?{urlencode({name: value for name, value in pairs.items() if value})}"


def read_figures_asked(query: Mapping[str, str]) -> FiguresAsked:
    """Read the address; what is unknown there is not asked for."""
    days = query.get("days", "")
    return FiguresAsked(days if days in SPANS else DEFAULT, query.get("site", "")[:64])
