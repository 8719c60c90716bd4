"""`convert_calls`: write call files of any format as vCons or as ``oip-call/1``; no service, no
database.

Exit codes: 0 every call was written, 1 some were refused, 3 bad usage or input, 4 internal error.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from review.core.batches import Found, read_portions
from review.core.parsers import FORMATS
from review.core.transcript import Call
from review.core.transcript.neutral import call_to_json, call_to_vcon
from review.core.transcript.storing import json_text
from review.management.base import Exit, ReviewCommand


class Command(ReviewCommand):
    """Convert calls and print one on each line, or write one file for each."""

    help = (
        "Write calls of any format as vCons or oip-call/1, one on each line. "
        "Exit: 0 all written, 1 some refused, 3 bad usage, 4 error."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("paths", nargs="+", type=Path, metavar="CALL", help="call file")
        parser.add_argument("--to", choices=("vcon", "oip-call/1"), required=True)
        parser.add_argument("--format", choices=sorted(FORMATS), help="overrule recognition")
        parser.add_argument("--into", type=Path, metavar="FOLDER", help="a new file for each call")

    def work(self, options: Mapping[str, Any]) -> int:
        """Convert every call; what cannot be read is said with its place and passed over."""
        files = [(path.name, _bytes(path)) for path in options["paths"]]
        refused = 0
        for number, one in enumerate(_found(files, options["format"]), 1):
            if one.call is None:
                refused += 1
                self.stderr.write(f"refused {one.place}: {one.sentence}")
                continue
            text = _written(one.call, options["to"])
            if options["into"] is None:
                self.stdout.write(text)
            else:
                self.stdout.write(str(_store(text, number, options["into"], options["to"])))
        return Exit.BAD if refused else Exit.GOOD


def _found(files: list[tuple[str, bytes]], form: str | None) -> Iterator[Found]:
    for portion in read_portions(files, form=form, parts_done=0, in_part=0):
        yield from portion.found


def _written(call: Call, to: str) -> str:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return json_text(call_to_vcon(call, created_at=now) if to == "vcon" else call_to_json(call))


def _store(text: str, number: int, folder: Path, to: str) -> Path:
    """Write a call under a number: its id may be anything, a name of a file may not."""
    path = folder / f"call-{number:04d}{'.vcon' if to == 'vcon' else '.json'}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as into:
            into.write(text + "\n")
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from None
    return path


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from None
