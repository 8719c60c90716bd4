"""`lint_catalog`: everything that can be said of catalog files, without a service or a database.

Exit codes: 0 no error (warnings are printed), 1 an error finding, 3 bad usage, 4 internal error.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from review.management.base import Exit, ReviewCommand
from review.management.check_report import checks_to_json, finding_lines, summary_line
from review.management.checking import add_file_arguments, check_files
from review.management.sarif import sarif_log


class Command(ReviewCommand):
    """Print the static findings and those of the rehearsal as one list."""

    help = (
        "Check catalog files: shape, rules, examples and tests. "
        "Exit: 0 no error, 1 errors, 3 bad usage, 4 internal error."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        add_file_arguments(parser)

    def work(self, options: Mapping[str, Any]) -> int:
        """Check every file and print what was found."""
        checks = check_files(options, timezone.localdate())
        located = [finding for one in checks for finding in one.findings]
        if options["format"] == "sarif":
            log = sarif_log(located, name="lint_catalog")
            self.stdout.write(json.dumps(log, ensure_ascii=False, indent=1))
        elif options["format"] == "json":
            plain = checks_to_json(checks, with_rehearsal=False)
            self.stdout.write(json.dumps(plain, ensure_ascii=False, indent=1))
        else:
            for line in finding_lines(located, every=options["all"]):
                self.stdout.write(line)
            for one in checks:
                self.stdout.write(summary_line(one))
        return Exit.BAD if any(one.errors for one in checks) else Exit.GOOD
