"""Candidates by wording: which turns of a call come nearest to what the catalog says of an open
acceptance item. Turns to look at first, never a verdict, a start or a finish: nothing here makes a
row, and no measure of nearness decides anything.
"""

from review.core.cascade.candidates.encoding import (
    Encoder,
    Vector,
    pack_vectors,
    unpack_vectors,
)
from review.core.cascade.candidates.ranking import FIRST, Candidates, rank_turns
from review.core.cascade.candidates.seeking import (
    Sought,
    said_turns,
    seek,
    texts_of,
    wording_of,
)

__all__ = [
    "FIRST",
    "Candidates",
    "Encoder",
    "Sought",
    "Vector",
    "pack_vectors",
    "rank_turns",
    "said_turns",
    "seek",
    "texts_of",
    "unpack_vectors",
    "wording_of",
]
