"""A measured figure beside its target."""

from __future__ import annotations

import sys
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured; `most` or `least` is the target, neither where there is none."""

    name: str
    value: float
    unit: str
    most: float | None = None
    least: float | None = None
    note: str = ""

    @property
    def is_met(self) -> bool:
        """Whether the target is met; a figure without one always is."""
        over = self.most is not None and self.value > self.most
        return not over and not (self.least is not None and self.value < self.least)

    def line(self) -> str:
        """Write the figure for people."""
        target = ""
        if self.most is not None:
            target = f"target <= {self.most:,g} {self.unit}".rstrip()
        elif self.least is not None:
            target = f"target >= {self.least:,g} {self.unit}".rstrip()
        verdict = ("met" if self.is_met else "MISSED") if target else ""
        note = f"({self.note})" if self.note else ""
        said = f"{self.value:,.4g}" if self.value < 10_000 else f"{self.value:,.0f}"
        return f"{self.name:<58} {said:>8} {self.unit:<4} {target:<22} {verdict} {note}".rstrip()


def say(line: str) -> None:
    """Print a line at once: a run takes minutes."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
