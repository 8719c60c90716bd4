"""Twenty thousand flipped bits over a whole audit: each refused, none a crash."""

from __future__ import annotations

from tests.unit.review.audit.flips import accepted_flips, small_audit

FLIPS = 20_000


def test_flipped_bits() -> None:
    assert accepted_flips(FLIPS, seed=2) == []
    print(f"{FLIPS} single-bit flips over {len(small_audit())} bytes: all refused")  # noqa: T201
