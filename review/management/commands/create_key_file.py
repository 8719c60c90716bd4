"""`create_key_file`: make the key file of a new installation where SEALING_KEY_FILE says.

Exit codes: 0 made, 3 not made (there is one) and why, 4 internal error.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError

from oipsce_site.sealing import SealingKeyError, create_key_file
from review.management.base import Exit, ReviewCommand


class Command(ReviewCommand):
    """Make the key file, once; it needs no database."""

    help = "Make the key file that seals the words of calls, for a new installation."

    def work(self, options: Mapping[str, Any]) -> int:
        """Make it and say what it is."""
        try:
            path = create_key_file()
        except SealingKeyError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{path}: made, readable by its owner only. Without it no call opens:")
        self.stdout.write("keep a copy of it, apart from the backups of the database.")
        return Exit.GOOD
