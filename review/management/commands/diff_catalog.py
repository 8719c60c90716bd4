"""`diff_catalog`: what differs between two catalog files in words, without a service or a database.

Exit codes: 0 words only or nothing, 1 a verdict may turn, 3 bad usage or a file that cannot be read
as a catalog, 4 internal error.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from catalogs.core.diff import Change, Effect, diff
from catalogs.core.document import Document
from review.management.base import Exit, ReviewCommand
from review.management.bases import add_base_argument
from review.management.checking import catalog_of


class Command(ReviewCommand):
    """Print every change with its effect, phase by phase."""

    help = (
        "Compare two catalog files in words. Exit: 0 no verdict can turn, 1 a verdict may turn, "
        "3 bad usage or an unreadable file, 4 internal error."
    )
    requires_system_checks: list[str] = []
    zero_is_a_verdict = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("old", metavar="OLD", help="a catalog file, or a shipped one")
        parser.add_argument("new", metavar="NEW", help="a catalog file, or a shipped one")
        add_base_argument(parser)
        parser.add_argument("--format", choices=("text", "json"), default="text")

    def work(self, options: Mapping[str, Any]) -> int:
        """Compare the two and print what was found."""
        old, new = (_load(options[one], options["base"]) for one in ("old", "new"))
        changes = diff(old, new)
        if options["format"] == "json":
            self.stdout.write(json.dumps(_plain(old, new, changes), ensure_ascii=False, indent=1))
        else:
            for line in _lines(old, new, changes):
                self.stdout.write(line)
        return Exit.BAD if any(change.effect.turns for change in changes) else Exit.GOOD


def _load(named: str, base: Path | None) -> Document:
    loaded = catalog_of(named, base=base)
    if loaded.document is None:
        first = loaded.findings[0]
        line = f" line {first.line}" if first.line else ""
        raise CommandError(
            f"{named} cannot be read as a catalog:{line} {first.code} {first.text}. "
            "lint_catalog says all of it."
        )
    return loaded.document


def _lines(old: Document, new: Document, changes: Sequence[Change]) -> list[str]:
    lines = [f"{old.slug} {old.version} -> {new.slug} {new.version}: {_summary(changes)}"]
    for change in changes:
        place = ".".join(part for part in (change.phase, change.key) if part) or "catalog"
        lines.append(f"  {change.effect.value:28} {place}: {change.text}")
    return lines


def _summary(changes: Sequence[Change]) -> str:
    numbers = Counter(change.effect for change in changes)
    counted = [f"{numbers[one]} {one.value}" for one in Effect if numbers[one]]
    return ", ".join(counted) or "nothing differs"


def _plain(old: Document, new: Document, changes: Sequence[Change]) -> dict[str, object]:
    return {
        "old": {"slug": old.slug, "version": old.version, "digest": old.digest},
        "new": {"slug": new.slug, "version": new.version, "digest": new.digest},
        "changes": [
            {
                "phase": change.phase or None,
                "key": change.key,
                "effect": change.effect.name.lower(),
                "text": change.text,
            }
            for change in changes
        ],
        "turns": any(change.effect.turns for change in changes),
    }
