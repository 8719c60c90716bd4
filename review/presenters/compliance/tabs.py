"""The way about among the pages of compliance officers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tab:
    """A page by the name of its address; `current` on itself."""

    name: str
    words: str
    current: bool


_PAGES = (
    ("signed_calls", "Signed calls"),
    ("failure_rates", "Failure rates"),
    ("open_flags", "Open flags"),
    ("overturned", "Reopened, overturned"),
    ("access_log", "Access log"),
    ("log_checks", "Decision log"),
    ("exceptions", "Exceptions"),
    ("attestations", "Attestations"),
)


def show_tabs(current: str) -> tuple[Tab, ...]:
    """Return the pages, the one at hand marked."""
    return tuple(Tab(f"review:{name}", words, name == current) for name, words in _PAGES)
