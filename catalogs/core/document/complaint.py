"""What is said of a catalog while it is read: a finding in the making."""

from __future__ import annotations

from typing import NamedTuple


class Complaint(NamedTuple):
    """A finding in the making: code, place by index (``phases[1].starts[0]``), sentence, and line
    where known.
    """

    code: str
    path: str
    text: str
    line: int | None = None
