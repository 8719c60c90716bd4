"""One hue per phase, the same in the picture, the gutter and the evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

#: static/css/tokens.css defines this many.
HUES = 12


def hues_of(phases: Iterable[str]) -> Mapping[str, int]:
    """Number the hues of phases in catalog order, from 1; a longer catalog begins again."""
    return {phase: index % HUES + 1 for index, phase in enumerate(phases)}
