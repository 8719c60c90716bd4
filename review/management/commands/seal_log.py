"""`seal_log`: seal the decision log now; workers do so every minute by themselves.

`--begin-new-log REASON` is for after a restore: a log never signs what does not follow from what it
signed before (docs/audit.md). REASON is one word, which the organisation's chain keeps.

Exit codes: 0 sealed, or nothing has changed; 1 refused, and why; 3 bad usage; 4 internal error.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import CommandError

from oipsce_site.ledger.checkpoints import UnableToSeal, begin_new_log, seal_heads
from oipsce_site.signing.store import SigningKeyError
from review.management.base import Exit, ReviewCommand
from review.queries.chains import sites_of_chains


class Command(ReviewCommand):
    """Seal by hand, or begin a new log."""

    help = "Sign a checkpoint over the decision log as it is now."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the reason for a new log."""
        parser.add_argument("--begin-new-log", metavar="REASON", help="one word, after a restore")

    def work(self, options: Mapping[str, Any]) -> int:
        """Seal, and print the note; or say why not."""
        reason, at = options["begin_new_log"], datetime.now(UTC)
        if reason is not None and not re.fullmatch(r"[!-~]{1,100}", reason):
            raise CommandError("REASON is one word of visible ASCII, such as a ticket's number")
        try:
            if reason is None:
                seal = seal_heads(place=sites_of_chains, at=at)
            else:
                seal = begin_new_log(reason_code=reason, place=sites_of_chains, at=at)
        except (UnableToSeal, SigningKeyError) as refusal:
            self.stderr.write(str(refusal))
            return Exit.BAD
        self.stdout.write("nothing has changed" if seal is None else seal.note.decode())
        return Exit.GOOD
