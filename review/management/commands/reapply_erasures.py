"""`reapply_erasures`: erase again what the list of erased calls names, after a restore.

The list (ERASURE_LIST_FILE) is no part of any backup. Run this after `restore_database` and before
anybody uses the site. Exit codes: 0 done; 1 a call could not be erased; 4 internal error.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from review.actions.erasing import UnableToErase
from review.actions.erasure_list import remember_erasures, remembered_erasures
from review.actions.retaining import erase_again
from review.management.base import Exit, ReviewCommand


class Command(ReviewCommand):
    """Erase what a backup brought back."""

    help = "Erase again the calls that were erased after the backup was made."

    def work(self, options: Mapping[str, Any]) -> int:
        """Go through the list."""
        again, faults = 0, 0
        for call_id in remembered_erasures():
            try:
                again += erase_again(call_id=call_id, by="restore", at=datetime.now(UTC))
            except UnableToErase as refusal:
                faults += 1
                self.stderr.write(f"not erased: {call_id}: {refusal}")
        remember_erasures()
        words = {0: "no call had to be erased again", 1: "1 call was erased again"}
        self.stdout.write(words.get(again, f"{again} calls were erased again"))
        return Exit.BAD if faults else Exit.GOOD
