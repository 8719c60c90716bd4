"""Random tables of ratings, the awkward ones included. Imports nothing of ours."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

Table = list[list[str | None]]


def random_tables(count: int, seed: int, most_raters: int = 5) -> Iterator[Table]:
    """Yield tables of 0 to 30 units, from 2 raters, 1 to 5 categories, up to half missing."""
    draw = Random(seed)  # noqa: S311 - reproducible tables
    for _ in range(count):
        raters, missing = draw.randint(2, most_raters), draw.choice((0, 0, 0.1, 0.5))
        categories = "abcde"[: draw.choice((1, 2, 2, 3, 5))]
        lean = draw.choice((0, 0.5, 0.9))
        units = draw.choice((0, 1, 2, 5, 12, 30))
        yield [
            [_rating(draw, categories, lean, missing) for _ in range(raters)] for _ in range(units)
        ]


def _rating(draw: Random, categories: str, lean: float, missing: float) -> str | None:
    if draw.random() < missing:
        return None
    return categories[0] if draw.random() < lean else draw.choice(categories)
