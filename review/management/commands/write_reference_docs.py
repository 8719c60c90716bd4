"""`write_reference_docs`: write docs/reference anew from the code, or say that it is out of date.

Exit codes: 0 written or (with --check) up to date, 1 with --check: out of date, 3 bad usage, 4
internal error.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import review
from review.management.base import Exit, ReviewCommand
from review.management.reference_pages import PAGES

_FOLDER = Path(review.__file__).parent.parent / "docs" / "reference"


class Command(ReviewCommand):
    """Write the reference pages that are made from the code."""

    help = "Write docs/reference anew. Exit: 0 up to date, 1 (--check) out of date."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if stale")
        parser.add_argument("--folder", type=Path, default=_FOLDER, help="where the pages lie")

    def work(self, options: Mapping[str, Any]) -> int:
        """Compare every page with its file and write those that differ."""
        folder: Path = options["folder"]
        stale = [name for name, page in PAGES.items() if _read(folder / name) != page()]
        if not options["check"]:
            folder.mkdir(parents=True, exist_ok=True)
            for name in stale:
                (folder / name).write_text(PAGES[name](), "utf-8")
        for name in stale:
            done = "is out of date; run make docs" if options["check"] else "written"
            self.stdout.write(f"docs/reference/{name} {done}")
        return Exit.BAD if options["check"] and stale else Exit.GOOD


def _read(path: Path) -> str | None:
    return path.read_text("utf-8") if path.is_file() else None
