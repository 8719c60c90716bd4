"""`import_calls`: read call files into a site and have their rows filled.

Exit codes: 0 every call was taken, 1 some were refused, 3 bad usage (unknown option, missing file,
unknown site or person), 4 internal error.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from oipsce_site.people.models import Site, User
from review.actions.portions import Asked, Importer, Taken
from review.core.parsers import FORMATS
from review.core.transcript import MAX_BYTES
from review.core.transcript.voice_files import group_voices
from review.management.base import Exit, ReviewCommand
from review.management.importing import import_files, importer_of
from review.permissions import NotAllowed


class Command(ReviewCommand):
    """Import calls, one line for each, and a line with the totals."""

    help = "Import call files into a site. Exit: 0 all taken, 1 some refused, 3 bad usage, 4 error."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="file or folder")
        parser.add_argument("--site", required=True, metavar="SLUG", help="the site of the calls")
        parser.add_argument("--format", choices=sorted(FORMATS), help="overrule recognition")
        parser.add_argument(
            "--confirm-roles",
            action="store_true",
            help="confirm the roles that usual names of speakers propose, and remember them",
        )
        parser.add_argument(
            "--new-revision",
            action="store_true",
            help="take other bytes of a known call as its next transcript",
        )
        parser.add_argument("--by", metavar="USERNAME", help="who imports; left out: the operator")

    def work(self, options: Mapping[str, Any]) -> int:
        """Import every file; what is refused is said with its place and passed over."""
        site = Site.objects.filter(slug=options["site"]).first()
        if site is None:
            raise CommandError(f"there is no site {options['site']!r}")
        asked = Asked(options["confirm_roles"], options["new_revision"])
        try:
            importer = importer_of(site, self._person(options["by"]), asked)
        except NotAllowed as refusal:
            raise CommandError(str(refusal)) from refusal
        files = [file for path in options["paths"] for file in _files(path)]
        counts: Counter[str] = Counter()
        for places in group_voices([str(file) for file in files]):
            voices = [files[k] for k in places]
            for taken in self._import(voices, options["format"], importer):
                counts[taken.word] += 1
                self._print(taken)
        words = ("created", "changed", "unchanged", "refused")
        self.stdout.write(", ".join(f"{counts[word]} {word}" for word in words))
        return Exit.BAD if counts["refused"] else Exit.GOOD

    def _person(self, username: str | None) -> User | None:
        if username is None:
            return None
        user = User.objects.filter(username=username, is_active=True).first()
        if user is None:
            raise CommandError(f"there is no active person {username!r}")
        return user

    def _import(self, files: list[Path], form: str | None, importer: Importer) -> Iterator[Taken]:
        # Asked before reading: a file beyond the limit is not taken into memory.
        for file in files:
            if file.stat().st_size > MAX_BYTES:
                size = f"The file has over {MAX_BYTES:,} bytes; split it."
                return iter([Taken("refused", file.name, size)])
        read = [(file.name, file.read_bytes()) for file in files]
        return import_files(read, form=form, importer=importer)

    def _print(self, taken: Taken) -> None:
        sentence = f": {taken.sentence}" if taken.sentence else ""
        out = self.stderr if taken.is_refused else self.stdout
        out.write(f"{taken.word} {taken.place}{sentence}")


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(file for file in path.iterdir() if file.is_file())
    if not path.is_file():
        raise CommandError(f"there is no file {path}")
    return [path]
