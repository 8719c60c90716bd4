"""Texts as vectors: what a model that makes them has to offer, and how vectors are stored."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Protocol

#: The numbers of one text, of length 1: the product of two says how near their wording is.
Vector = Sequence[float]


class Encoder(Protocol):
    """A model on this machine. `model` is its name, without blanks; `digest` that of its files."""

    @property
    def model(self) -> str:
        """The model's name."""

    @property
    def digest(self) -> str:
        """SHA-256, 64 hexadecimal digits: the same files make the same vectors."""

    def encode(self, texts: Sequence[str]) -> list[Vector]:
        """Return the vector of each text, all of one size and of length 1."""


def pack_vectors(vectors: Sequence[Vector]) -> bytes:
    """Write vectors one after the other, each number in four bytes, the lowest first.

    >>> pack_vectors([(1.0, 0.0)]).hex()
    '0000803f00000000'
    """
    return b"".join(struct.pack(f"<{len(one)}f", *one) for one in vectors)


def unpack_vectors(packed: bytes, count: int) -> list[Vector]:
    """Read `count` vectors back. Raises ValueError where the bytes are not so many.

    >>> unpack_vectors(pack_vectors([(1.0, 0.0), (0.0, 1.0)]), 2)
    [(1.0, 0.0), (0.0, 1.0)]
    """
    if not count and not packed:
        return []
    size, rest = divmod(len(packed), 4 * count) if count else (0, 1)
    if rest or not size:
        raise ValueError(f"{len(packed)} bytes are not {count} vectors of one size")
    return [struct.unpack_from(f"<{size}f", packed, 4 * size * one) for one in range(count)]
