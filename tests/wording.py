"""A model that stands in where the real one is not installed: words counted, nothing learnt.

It speaks the same interface, so that everything around a model is tested everywhere.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from math import sqrt

from review.core.cascade.candidates import Vector

NAME = "tests.wording.WordEncoder"
_SIZE = 256


class WordEncoder:
    """Each word is one of 256 numbers; `asked` counts the texts of each asking."""

    model = "words-counted"
    digest = hashlib.sha256(b"words counted").hexdigest()
    asked: list[int] = []

    def encode(self, texts: Sequence[str]) -> list[Vector]:
        """Return how often each word is in a text, brought to length 1."""
        self.asked.append(len(texts))
        return [_count(text) for text in texts]


def _count(text: str) -> Vector:
    counts = [0.0] * _SIZE
    for word in re.findall(r"\w+", text.lower()):
        counts[hashlib.sha256(word.encode()).digest()[0]] += 1
    length = sqrt(sum(one * one for one in counts)) or 1.0
    return tuple(one / length for one in counts)
