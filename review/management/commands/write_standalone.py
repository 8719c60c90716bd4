"""`write_standalone`: write the verifier or the witness as one file for people elsewhere.

The file needs Python and `cryptography` alone, and is the same byte for byte wherever it is made
from this version; its SHA-256 is printed. Exit codes: 0 written, 3 bad usage, 4 internal error.
"""

from __future__ import annotations

import hashlib
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from review.actions.standalone import PROGRAMS, program
from review.management.base import Exit, ReviewCommand


class Command(ReviewCommand):
    """Join the modules of one program."""

    help = "Write the verifier or the witness as one file that needs Python and cryptography."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the program and the place."""
        parser.add_argument("program", choices=sorted(PROGRAMS))
        parser.add_argument("path", type=Path)

    def work(self, options: Mapping[str, Any]) -> int:
        """Write it and print its digest."""
        data = program(options["program"])
        try:
            options["path"].write_bytes(data)
        except OSError as error:
            raise CommandError(f"{options['path']}: {error.strerror}") from error
        digest = hashlib.sha256(data).hexdigest()
        self.stdout.write(f"{digest}  {options['path']}  ({len(data):,} bytes)")
        return Exit.GOOD
