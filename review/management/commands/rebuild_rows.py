"""`rebuild_rows`: build the rows of calls anew from proposals and decisions, and compare.

Exit codes: 0 all as stored, 1 some differed, 3 bad usage, 4 internal error. With ``--repair`` what
differs is stored as built, and the decision log says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from review.actions.rebuilding import differing_rows, rebuild_rows
from review.management.base import Exit, ReviewCommand
from review.queries.folded import calls_with_rows


class Command(ReviewCommand):
    """Compare stored rows with what they are made of, and repair them where asked."""

    help = "Build rows anew from proposals and decisions. Exit 1 if any stored row differs."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the ids of calls, and whether to repair."""
        parser.add_argument("calls", nargs="*", metavar="CALL", help="ids of calls; all without")
        parser.add_argument("--repair", action="store_true", help="store what differs as built")

    def work(self, options: Mapping[str, Any]) -> int:
        """Compare each call, one transaction each."""
        calls = calls_with_rows(_ids(options["calls"]))
        differing = 0
        for call_id in calls:
            phases = (
                rebuild_rows(call_id=call_id, by="rebuild_rows", at=timezone.now())
                if options["repair"]
                else differing_rows(call_id)
            )
            if phases:
                differing += 1
                word = "rebuilt" if options["repair"] else "differs"
                self.stdout.write(f"{call_id}: {word} {', '.join(phases)}")
        self.stdout.write(f"{len(calls)} calls built anew, {differing} differ")
        return Exit.BAD if differing else Exit.GOOD


def _ids(words: list[str]) -> list[UUID]:
    try:
        return [UUID(word) for word in words]
    except ValueError:
        raise CommandError("a call is named by its id, as its page's address has it") from None
