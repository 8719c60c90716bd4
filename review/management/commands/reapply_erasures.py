"""`reapply_erasures`: erase again what the list of erased calls names.

The list (ERASURE_LIST_FILE) is no part of any backup. `restore_database` does this by itself; run
it after a backup was put back in another way, and before anybody uses the site. Exit codes: 0 done;
1 a call could not be erased; 4 internal error.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from review.management.base import Exit, ReviewCommand
from review.management.erasures import erase_listed


class Command(ReviewCommand):
    """Erase what a backup brought back."""

    help = "Erase again the calls that were erased after the backup was made."

    def work(self, options: Mapping[str, Any]) -> int:
        """Go through the list."""
        again = erase_listed(datetime.now(UTC))
        for sentence in again.faults:
            self.stderr.write(sentence)
        self.stdout.write(again.sentence)
        return Exit.BAD if again.faults else Exit.GOOD
