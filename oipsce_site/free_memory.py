"""Give memory that was freed back to the machine: glibc keeps it, in one pool for each thread."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any


def give_back_memory() -> None:
    """Return freed pages to the system where the C library can; nothing elsewhere. Some ms."""
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Any | None:
    try:
        return ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):
        return None
