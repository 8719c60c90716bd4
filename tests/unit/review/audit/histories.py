"""Other histories of the same site: rewritten, shrunk, or older."""

from __future__ import annotations

from datetime import timedelta

from oipsce_site.signing.core.note import Checkpoint, sign_checkpoint
from tests.unit.review.audit.world import ORIGIN, world
from tests.unit.signing.rings import NOON, private


def rewritten() -> bytes:
    """Rewrite history with export and log key, from the first leaf on: a world of its own."""
    made = world(2)
    made.leaves, made.notes = [], []
    made.calls = [made.calls[1]]
    for minutes in (50, 40, 30):
        made.seal(NOON - timedelta(minutes=minutes))
        made.leaves.append(bytes(32))
    made.seal(NOON - timedelta(minutes=5))
    return made.build()


def held(index: int = 0) -> bytes:
    return world().notes[index][1]


def smaller_log() -> bytes:
    return sign_checkpoint(Checkpoint(ORIGIN, 99, bytes(32)), private("log"))


def old_heads_too() -> bytes:
    """Show a genuine older checkpoint with its own heads: the new call is then unknown to it."""
    made = world()
    made.calls, made.leaves, made.notes = made.calls[:2], made.leaves[:0], []
    made.seal(NOON - timedelta(hours=1))
    assert made.sealed is not None
    late = world()
    return late.build(late.order(sealed=made.sealed))
