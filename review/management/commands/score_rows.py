"""`score_rows`: systems ranked by their rows, against the labels of a data set.

Exit codes: 0 scored, 3 bad input or usage, 4 internal error. It opens no database.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from review.core.dataset import Score, ranked, read_labels, read_system, score
from review.core.dataset.rows_read import UnreadableRows
from review.core.dataset.scoring import Share
from review.management.base import Exit, ReviewCommand


class Command(ReviewCommand):
    """Score each file of rows and print the systems, the best first."""

    help = "Rank systems by their rows (JSON or JSON lines) against labels.jsonl of a data set."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("labels", type=Path, metavar="LABELS", help="labels.jsonl")
        parser.add_argument("systems", nargs="+", type=Path, metavar="ROWS", help="a system's rows")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def work(self, options: Mapping[str, Any]) -> int:
        """Read everything first, so that a bad file leaves no half of a ranking."""
        labels = _read(options["labels"], read_labels)
        scores: dict[str, Score] = {}
        for path in options["systems"]:
            if str(path) in scores:
                raise CommandError(f"{path} is named twice.")
            scores[str(path)] = score(labels, _read(path, read_system))
        order = ranked(scores)
        if options["json"]:
            plain = [{"system": name, **_plain(scores[name])} for name in order]
            self.stdout.write(json.dumps(plain, ensure_ascii=False, indent=1))
        else:
            for place, name in enumerate(order, 1):
                for line in _lines(place, name, scores[name]):
                    self.stdout.write(line)
        return Exit.GOOD


def _read(path: Path, read: Any) -> Any:
    try:
        return read(path.read_text("utf-8"))
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise CommandError(f"{path} is not UTF-8.") from None
    except UnreadableRows as bad:
        raise CommandError(f"{path}: {bad}.") from None


def _plain(one: Score) -> dict[str, object]:
    values = ((field.name, getattr(one, field.name)) for field in fields(one))
    return {
        name: f"{value.hits}/{value.of}" if isinstance(value, Share) else value
        for name, value in values
    }


def _lines(place: int, name: str, one: Score) -> Iterator[str]:
    yield f"{place}. {name}"
    for key, value in _plain(one).items():
        share = getattr(one, key)
        percent = ""
        if isinstance(share, Share) and share.value is not None:
            percent = f"  {float(share.value):.1%}"
        yield f"   {key.replace('_', ' '):20} {value}{percent}"
