"""How often Python looks for cyclic garbage in processes that serve or judge call after call."""

from __future__ import annotations

import gc

# A call of a hundred turns is some thousand objects, of which none is part of a cycle.
OBJECTS_BETWEEN_COLLECTIONS = 50_000


def collect_seldom() -> None:
    """Look seldom from now on, and never among what is loaded: a look through all of the product
    is longer than most requests, and after every few calls it was a fifth of a worker's time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
