"""`load_checklists`: double-coded checklists become a calibration round with its figures.

Exit codes: 0 loaded, 3 bad usage (missing folder, unknown site, no file in all folders), 4 internal
error. The workbooks are read where they lie; what is kept is in the database alone.
"""

from __future__ import annotations

import secrets
import warnings
import zipfile
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

import openpyxl
from django.core.management.base import CommandError
from django.utils import timezone
from openpyxl.utils.exceptions import InvalidFileException

from oipsce_site.people.models import Site
from review.actions.calibration import UnableToCalibrate
from review.actions.checklists import Checked, Checklists, load_checklists
from review.core.calibration import CheckedItem, pair_lists, read_items
from review.core.transcript import MAX_BYTES
from review.management.base import Exit, ReviewCommand
from review.models import CalibrationRound

_MOST_ROWS = 2_000
_NO_WORKBOOK = (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, OSError)


class Command(ReviewCommand):
    """Load the workbooks that lie in all folders, one folder for each person."""

    help = (
        "Load double-coded checklists as a calibration round. Each folder holds one person's "
        "workbooks: items in the first column, c, nc or i in the second."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument(
            "folders", nargs="+", type=Path, metavar="FOLDER", help="one person's workbooks"
        )
        parser.add_argument("--site", required=True, metavar="SLUG", help="where the round is held")
        parser.add_argument("--title", default="Double-coded checklists", help="name of the round")

    def work(self, options: Mapping[str, Any]) -> int:
        """Pair the files by name, load them, and say how well they agree."""
        site = Site.objects.filter(slug=options["site"]).first()
        if site is None:
            raise CommandError(f"there is no site {options['site']!r}")
        folders: list[Path] = options["folders"]
        if len(folders) < 2:
            raise CommandError("name two folders or more: one for each person")
        files = [_files(folder) for folder in folders]
        names = [name for name in files[0] if all(name in one for one in files)]
        if not names:
            raise CommandError("no workbook lies in all these folders under one name")
        calls = [
            Checked(Path(name).stem, pair_lists([_items(one[name]) for one in files]))
            for name in names
        ]
        raters = [folder.name for folder in folders]
        loaded = Checklists(site, options["title"], raters, calls)
        round_id, seed = uuid4(), secrets.token_hex(16)
        try:
            load_checklists(
                round_id=round_id,
                loaded=loaded,
                seed=seed,
                by="load_checklists",
                at=timezone.now(),
            )
        except UnableToCalibrate as refusal:
            raise CommandError(str(refusal)) from refusal
        figures = CalibrationRound.objects.values_list("figures", flat=True).get(pk=round_id)
        self.stdout.write(f"loaded round {round_id}: {(figures or {})['summary']}")
        return Exit.GOOD


def _files(folder: Path) -> dict[str, Path]:
    if not folder.is_dir():
        raise CommandError(f"there is no folder {folder}")
    return {file.name.casefold(): file for file in sorted(folder.glob("*.xlsx"))}


def _items(file: Path) -> tuple[CheckedItem, ...]:
    if file.stat().st_size > MAX_BYTES:
        raise CommandError(f"{file} has over {MAX_BYTES:,} bytes")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            book = openpyxl.load_workbook(file, data_only=True, keep_links=False)
        sheet = book.worksheets[0]
        rows = sheet.iter_rows(max_row=_MOST_ROWS, max_col=2, values_only=True)
        return read_items(rows)
    except _NO_WORKBOOK as error:
        raise CommandError(f"{file} cannot be read as a workbook: save it as .xlsx") from error
