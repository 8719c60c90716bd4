"""The horizontal axis of the picture: turn numbers to shares of the width.

Each turn owns a cell of equal width, so a phase of one turn is still a bar. Shares, not pixels:
the picture takes any width without a script, and its text keeps its size.
"""

from __future__ import annotations

from dataclasses import dataclass

_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000)
_TICKS = 7
_NARROWEST = 0.5


@dataclass(frozen=True, slots=True)
class Tick:
    """A number of the axis and where it is."""

    x: str
    text: str


@dataclass(frozen=True, slots=True)
class Axis:
    """The turns of a call, from the first number to the last."""

    first: int
    last: int

    @property
    def count(self) -> int:
        """How many cells there are."""
        return max(self.last - self.first + 1, 1)

    def left(self, turn: int) -> float:
        """Return where the cell of a turn begins, in percent."""
        return (self._inside(turn) - self.first) * 100 / self.count

    def right(self, turn: int) -> float:
        """Return where the cell of a turn ends; never so near that a bar would vanish."""
        cell = max(100 / self.count, _NARROWEST)
        return min(self.left(turn) + cell, 100.0)

    def ticks(self) -> tuple[Tick, ...]:
        """Return the first and the last number and round ones between, none too near another."""
        least = self.count / _TICKS
        step = next((step for step in _STEPS if step >= least), self.count)
        round_ones = range((self.first // step + 1) * step, self.last, step)
        near = step * 0.45
        middle = [n for n in round_ones if n - self.first > near and self.last - n > near]
        numbers = dict.fromkeys([self.first, *middle, self.last])
        return tuple(Tick(percent(self._centre(number)), str(number)) for number in numbers)

    def _centre(self, turn: int) -> float:
        return self.left(turn) + 50 / self.count

    def _inside(self, turn: int) -> int:
        return min(max(turn, self.first), self.last)


def percent(value: float) -> str:
    """Write a share as SVG takes it.

    >>> percent(12.5), percent(100)
    ('12.5%', '100%')
    """
    return f"{round(value, 2):g}%"
