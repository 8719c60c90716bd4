"""`backup_database FILE`: write the whole database to a new file, mode 0600, as the owner.

It is PostgreSQL's own custom format; site and workers may go on meanwhile. Exit codes: 0 written,
3 not written and why, 4 internal error.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from oipsce_site.services import dumps
from review.management import backups
from review.management.base import Exit, ReviewCommand


class Command(ReviewCommand):
    """Back up the database; say what the backup does not hold."""

    help = "Write a backup of the whole database to a new file that only you can read."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the file."""
        parser.add_argument("file", type=Path, metavar="FILE", help="a file that does not exist")

    def work(self, options: Mapping[str, Any]) -> int:
        """Write the file."""
        path: Path = options["file"]
        try:
            size = dumps.back_up(backups.database_of_owner(), path)
        except dumps.BackupError as error:
            raise CommandError(f"no backup was written: {error}") from error
        self.stdout.write(f"{path}: {size:,} bytes, readable by its owner only")
        self.stdout.write(
            f"The key file {settings.SEALING_KEY_FILE} is not in it, and without that file no "
            "word of a call opens again. Keep a copy of it, apart from the backups."
        )
        return Exit.GOOD
