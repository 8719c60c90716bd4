"""`export_checkpoint`: write the last checkpoint for a witness, with the proof that the log grew.

`--since SIZE` is the size of the checkpoint that the witness holds. Exit codes: 0 written, 1 there
is none; 3 bad usage; 4 internal error.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError

from oipsce_site.ledger.core.merkle import Tree
from oipsce_site.ledger.queries import last_seal, leaves_of
from oipsce_site.signing.core.plain import write_json
from review.management.base import Exit, ReviewCommand


class Command(ReviewCommand):
    """Print one JSON object: the note, the size it grew from, and the proof."""

    help = "Write the last checkpoint and the proof that a witness asks for."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the size that the witness holds."""
        parser.add_argument("--since", type=int, default=0, metavar="SIZE")

    def work(self, options: Mapping[str, Any]) -> int:
        """Print it."""
        seal, since = last_seal(), int(options["since"])
        if seal is None:
            self.stderr.write("nothing was sealed yet; see `manage.py seal_log`")
            return Exit.BAD
        if not 0 <= since <= seal.size:
            raise CommandError(f"--since {since}: the log has {seal.size} leaves")
        leaves = [leaf.leaf_hash for leaf in leaves_of(seal.epoch, seal.size)]
        proof = Tree(leaves).consistency(since, seal.size) if since else []
        value = {
            "note": seal.note.decode(),
            "since": since,
            "proof": [one.hex() for one in proof],
        }
        self.stdout.write(write_json(value).decode())
        return Exit.GOOD
