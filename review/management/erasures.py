"""After a restore: what was erased since the backup was made is erased again, before it opens."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from review.actions.erasing import UnableToErase
from review.actions.erasure_list import remember_erasures, remembered_erasures
from review.actions.retaining import erase_again


@dataclass(frozen=True, slots=True)
class Again:
    """How many calls were erased again, and a sentence for each that could not be."""

    count: int
    faults: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """Say how many."""
        words = {0: "no call had to be erased again", 1: "1 call was erased again"}
        return words.get(self.count, f"{self.count} calls were erased again")


def erase_listed(at: datetime) -> Again:
    """Erase every call of the list that has words, and add to the list what it lacks.

    Raises OSError or ValueError for a list that cannot be read.
    """
    count, faults = 0, []
    for call_id in remembered_erasures():
        try:
            count += erase_again(call_id=call_id, by="restore", at=at)
        except UnableToErase as refusal:
            faults.append(f"not erased: {call_id}: {refusal}")
    remember_erasures()
    return Again(count, tuple(faults))
