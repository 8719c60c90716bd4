"""`sign_roster`: have the root key confirm who signs at a site, and by which passkeys.

Run it at a ceremony, after people came or went or got a passkey. Audits carry the latest roster of
their site; the verifier holds every signature that is older than it against it. Exit codes: 0 done,
1 not done and why, 3 bad usage, 4 internal error.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from oipsce_site.people.models import Site
from oipsce_site.signing.store import SigningKeyError, open_store
from review.actions.rosters import sign_site_roster
from review.management.base import Exit, ReviewCommand

COMMAND = "sign_roster"


class Command(ReviewCommand):
    """Sign the roster of one site."""

    help = "Have the root key confirm who signs at a site, and by which passkeys."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the site and where the root key is."""
        parser.add_argument("site", help="the site's short name")
        parser.add_argument("--root-key", type=Path, metavar="FILE", help="where the root key is")

    def work(self, options: Mapping[str, Any]) -> int:
        """Sign, and say where the roster is."""
        site = Site.objects.filter(slug=options["site"]).first()
        if site is None:
            raise CommandError(f"there is no site {options['site']!r}")
        at = datetime.now(UTC)
        try:
            path = sign_site_roster(
                site=site, store=open_store(at=at), root_file=options["root_key"], by=COMMAND, at=at
            )
        except SigningKeyError as error:
            self.stderr.write(str(error))
            return Exit.BAD
        self.stdout.write(f"{path}: signed")
        return Exit.GOOD
