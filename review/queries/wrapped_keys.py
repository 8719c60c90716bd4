"""The wrapped data keys of calls, for those who check that a key file still fits them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from review.models import Call


@dataclass(frozen=True, slots=True, repr=False)
class WrappedKeyOf:
    """The wrapped data key of one call, with the place it is bound to."""

    site_id: UUID
    call_id: UUID
    wrapped: bytes


def wrapped_keys() -> Iterator[WrappedKeyOf]:
    """Yield the key of every call whose words were not erased."""
    rows = (
        Call.objects.filter(erased_at=None)
        .order_by("pk")
        .values_list("site_id", "id", "wrapped_key")
    )
    for site_id, call_id, wrapped in rows.iterator(chunk_size=2000):
        if wrapped:
            yield WrappedKeyOf(site_id, call_id, bytes(wrapped))
