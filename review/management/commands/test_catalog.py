"""`test_catalog`: run the examples and tests of catalog files, without a service or a database.

Exit codes: 0 all tests pass and no error was found, 1 otherwise, 3 bad usage, 4 internal error.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from review.management.base import Exit, ReviewCommand
from review.management.check_report import (
    checks_to_json,
    finding_lines,
    rehearsal_lines,
    summary_line,
)
from review.management.checking import Checked, add_file_arguments, check_files
from review.management.sarif import sarif_log


class Command(ReviewCommand):
    """Print a line per test, what the tests have seen, and what they would not notice."""

    help = (
        "Run the examples and tests of catalog files. "
        "Exit: 0 all pass, 1 some fail or errors, 3 bad usage, 4 internal error."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        add_file_arguments(parser)

    def work(self, options: Mapping[str, Any]) -> int:
        """Rehearse every file and print how its tests came out."""
        checks = check_files(options, timezone.localdate())
        if options["format"] == "sarif":
            log = sarif_log((f for one in checks for f in one.findings), name="test_catalog")
            self.stdout.write(json.dumps(log, ensure_ascii=False, indent=1))
        elif options["format"] == "json":
            plain = checks_to_json(checks, with_rehearsal=True)
            self.stdout.write(json.dumps(plain, ensure_ascii=False, indent=1))
        else:
            for one in checks:
                self._print(one, every=options["all"])
        return Exit.BAD if any(one.errors for one in checks) else Exit.GOOD

    def _print(self, checked: Checked, *, every: bool) -> None:
        self.stdout.write(summary_line(checked))
        if checked.rehearsal is not None:
            for line in rehearsal_lines(checked.rehearsal):
                self.stdout.write(line)
        for line in finding_lines(checked.findings, every=every):
            self.stdout.write(f"  {line}")
