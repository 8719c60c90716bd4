"""Flips of single bits over a whole audit, the container's own bytes included."""

from __future__ import annotations

import random
from functools import cache

from oipsce_site.signing.core.refusals import Refused
from tests.unit.review.audit.world import CASES, World, catalog_file, shipped_calls, verify
from tests.unit.signing.rings import NOON


@cache
def small_audit() -> bytes:
    """Return an audit of the smallest call, with its catalog alone."""
    made = World([shipped_calls()[1]])
    made.seal(NOON)
    return made.build(made.order(catalogs=(catalog_file(CASES[1][1]),)))


def accepted_flips(count: int, seed: int) -> list[int]:
    """Return the places, in bits, of flips that a verifier accepted; a crash is raised."""
    data = small_audit()
    drawn = random.Random(seed)  # noqa: S311 - places, no secrets
    accepted = []
    for _ in range(count):
        place = drawn.randrange(len(data) * 8)
        spoiled = bytearray(data)
        spoiled[place // 8] ^= 1 << place % 8
        try:
            verify(bytes(spoiled))
        except Refused:
            continue
        accepted.append(place)
    return accepted


def accepted_flips_of(start: int, end: int) -> list[int]:
    """Return the accepted flips among all bits of these bytes."""
    data = small_audit()
    accepted = []
    for place in range(start * 8, end * 8):
        spoiled = bytearray(data)
        spoiled[place // 8] ^= 1 << place % 8
        try:
            verify(bytes(spoiled))
        except Refused:
            continue
        accepted.append(place)
    return accepted
