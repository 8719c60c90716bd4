"""What a reference entry holds."""

from __future__ import annotations

from typing import NamedTuple


class Entry(NamedTuple):
    """One code: what is found, why it matters, how to mend it."""

    code: str
    what: str
    why: str
    mend: str
