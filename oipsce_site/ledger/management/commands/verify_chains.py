"""`manage.py verify_chains`: verify every chain of the decision log, one line each, and its seals.

Without named chains also: that the tree of sealed heads and every checkpoint fit the chains, and
that the database knows the checkpoint that the sealer remembers outside it.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand

from oipsce_site.closed_pipe import let_reader_go
from oipsce_site.ledger.checkpoints import verify_seals_here
from oipsce_site.ledger.queries import chain_ids, last_seal, verify
from oipsce_site.ledger.selfcheck import check_triggers
from oipsce_site.signing.store import SigningKeyError


class Command(BaseCommand):
    """Exit codes: 0 every chain verifies and the table is guarded, 1 something is broken."""

    help = "Verify the hash chains of the decision log and the triggers that guard them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the chains to verify; without any, all of them."""
        parser.add_argument("chains", nargs="*", type=UUID, metavar="CHAIN")

    def handle(self, *_: Any, chains: list[UUID], **__: Any) -> None:
        """Print one line per chain and per finding. Exits 1 when something is broken."""
        guard = check_triggers()
        for sentence in guard:
            self._print(f"guard: {sentence}")
        broken = 0
        for chain_id in chains or chain_ids():
            broken += self._print_chain(chain_id)
        unsealed = 0 if chains else self._print_seals()
        self._print(f"{broken} broken chain(s), {len(guard)} fault(s) of the guard")
        if broken or guard or unsealed:
            sys.exit(1)

    def _print_seals(self) -> int:
        """Print what is wrong with the checkpoints and return how much."""
        if not settings.SIGNING_KEY_DIR:
            self._print("checkpoints: SIGNING_KEY_DIR is not set, so they were not verified")
            return 0
        try:
            findings = verify_seals_here(at=datetime.now(UTC))
        except SigningKeyError as error:
            self._print(f"checkpoints: {error}")
            return 1
        for finding in findings:
            self._print(f"{finding.place} {finding.code}: {finding.text}")
        seal = last_seal()
        said = "none yet" if seal is None else f"{seal.size} leaves sealed, log {seal.epoch}"
        self._print(f"checkpoints: {said}, {len(findings)} fault(s)")
        return len(findings)

    def _print_chain(self, chain_id: UUID) -> bool:
        findings = verify(chain_id)
        if not findings:
            self._print(f"{chain_id} ok")
        for finding in findings:
            place = "chain" if finding.seq is None else f"entry {finding.seq}"
            self._print(f"{chain_id} {finding.code} {place}: {finding.text}")
        return bool(findings)

    def _print(self, line: str) -> None:
        """Print a line at once. Without a reader the chains are verified all the same: the exit
        code says how they stand.
        """
        try:
            self.stdout.write(line)
            self.stdout.flush()
        except BrokenPipeError:
            let_reader_go()
