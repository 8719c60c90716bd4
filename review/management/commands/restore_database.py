"""`restore_database FILE [--replace]`: put a backup into an empty database, as the owner.

All of it in one transaction, or nothing. Then calls that were erased after the backup was made are
erased again, by the list that lies outside of it; and the guards and chains of the decision log are
checked, and that the key file opens the calls. Exit codes: 0 restored and sound, 1 restored with
faults (each is named), 3 not restored and why, 4 internal error.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.db import DatabaseError, connection

from oipsce_site.services import dumps
from review.management import backups
from review.management.base import Exit, ReviewCommand
from review.management.erasures import erase_listed


class Command(ReviewCommand):
    """Restore the database and check what came."""

    help = "Put a backup into an empty database and check it. Stop the site and workers first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the file and the word that removes what is there."""
        parser.add_argument("file", type=Path, metavar="FILE", help="made by backup_database")
        parser.add_argument(
            "--replace", action="store_true", help="first remove all that is in the database"
        )

    def work(self, options: Mapping[str, Any]) -> int:
        """Restore, then check."""
        path, replace = options["file"], options["replace"]
        database = backups.database_of_owner()
        backups.check_can_receive(replace=replace)
        # This process's own session must not hold what the restore wants to lock.
        connection.close()
        try:
            dumps.check_is_backup(path)
            dumps.restore(database, path, replace=replace)
        except dumps.BackupError as error:
            raise CommandError(f"nothing was restored, nothing was changed: {error}") from error
        faults = [*self._erase_again(), *backups.faults_after_restore()]
        for sentence in faults:
            self.stdout.write(f"fault: {sentence}")
        if faults:
            self.stdout.write(f"restored, with {len(faults)} fault(s): see above before use")
            return Exit.BAD
        self.stdout.write("restored; guards, chains and keys are sound")
        return Exit.GOOD

    def _erase_again(self) -> Iterable[str]:
        try:
            again = erase_listed(datetime.now(UTC))
        except (DatabaseError, OSError, ValueError) as error:
            return [
                f"calls that were erased since were not erased again ({type(error).__name__}): "
                "look at ERASURE_LIST_FILE, migrate, run reapply_erasures, then open the site"
            ]
        self.stdout.write(again.sentence)
        return again.faults
