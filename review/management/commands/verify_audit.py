"""`verify_audit`: verify a signed audit; the same program as the file that strangers run.

Exit codes: 0 verified, 1 refused, 3 bad usage, 4 internal error.
"""

from __future__ import annotations

import sys
from typing import NoReturn

from django.core.management.base import BaseCommand

from review.core.verify.program import main


class Command(BaseCommand):
    """Hands the words of the command line to the verifier; it opens no database."""

    help = "Verify a signed audit (.oipaudit.zip) against the root key's fingerprint."

    def run_from_argv(self, argv: list[str]) -> NoReturn:
        """Run as from a shell, with the verifier's own options and exit codes."""
        sys.exit(main(argv[2:]))
