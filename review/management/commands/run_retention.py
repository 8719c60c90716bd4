"""`run_retention [--site SLUG] [--dry-run]`: erase the calls that are due by their site's rule.

Workers do it every day by themselves. `--dry-run` lists what is due and erases nothing. Above the
cap of its rule a site is refused whole. Exit codes: 0 done; 1 a site was refused, or a call could
not be erased; 3 bad usage; 4 internal error.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import CommandError

from oipsce_site.people.models import Site
from review.actions.erasure_list import remember_erasures
from review.actions.retaining import WORKER, UnableToRetain, run_retention
from review.core.retention import is_above_cap
from review.management.base import Exit, ReviewCommand
from review.queries.retention import due_lines, rule_of, sites_with_rules


class Command(ReviewCommand):
    """Run retention by hand, or see what it would do."""

    help = "Erase the calls that have been kept for as long as their site's rule says."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the site, and the word that only looks."""
        parser.add_argument("--site", metavar="SLUG", help="this site alone")
        parser.add_argument(
            "--dry-run", action="store_true", help="list what is due, erase nothing"
        )

    def work(self, options: Mapping[str, Any]) -> int:
        """Go through the sites."""
        sites = sites_with_rules(options["site"])
        if options["site"] and not sites:
            raise CommandError(f"no site {options['site']!r} with an approved rule of retention")
        codes = [self._look(site) if options["dry_run"] else self._retain(site) for site in sites]
        if not options["dry_run"]:
            remember_erasures()
        return max(codes, default=Exit.GOOD)

    def _look(self, site: Site) -> int:
        rule, now = rule_of(site.pk), datetime.now(UTC)
        if rule is None:
            return Exit.GOOD
        due = due_lines(rule, now)
        words = "1 call is due" if len(due) == 1 else f"{len(due)} calls are due"
        self.stdout.write(f"{site.slug}: {words}; a run erases {rule.most} at most")
        for one in due:
            self.stdout.write(f"  {one.call_id}  last changed {one.last_change:%Y-%m-%d}")
        return Exit.BAD if is_above_cap(len(due), rule.most) else Exit.GOOD

    def _retain(self, site: Site) -> int:
        try:
            done = run_retention(site=site, by=WORKER, at=datetime.now(UTC))
        except UnableToRetain as refusal:
            self.stderr.write(str(refusal))
            return Exit.BAD
        self.stdout.write(f"{site.slug}: {len(done.erased)} of {done.due} due calls erased")
        for one in done.erased:
            self.stdout.write(f"  {one}")
        for sentence in done.refusals:
            self.stderr.write(f"  not erased: {sentence}")
        return Exit.BAD if done.refusals else Exit.GOOD
