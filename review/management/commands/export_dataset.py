"""`export_dataset`: a de-identified audit as a labelled data set with its card.

Exit codes: 0 written, 1 the audit was refused, 3 bad usage, 4 internal error. It opens no database:
who may take a de-identified audit out of a site is settled when the audit is ordered.
"""

from __future__ import annotations

import hashlib
import json
import re
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from oipsce_site.signing.core.refusals import Refused
from review.core.dataset import Gathered, read_audit_labels, write_card
from review.core.verify.bundle import Asked
from review.management.base import Exit, ReviewCommand

_FINGERPRINT = re.compile("[0-9a-f]{64}")


class Command(ReviewCommand):
    """Verify the audit, and write its labels and their card into a new folder."""

    help = "Make a labelled data set of a de-identified audit. Exit: 0 written, 1 refused."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("audit", type=Path, metavar="AUDIT", help="a .oipaudit.zip file")
        parser.add_argument("--root", required=True, metavar="FINGERPRINT", help="the root key's")
        parser.add_argument("--out", required=True, type=Path, metavar="FOLDER", help="made anew")

    def work(self, options: Mapping[str, Any]) -> int:
        """Write the data set, all of it or nothing."""
        root_id = "".join(str(options["root"]).split()).lower()
        if not _FINGERPRINT.fullmatch(root_id):
            raise CommandError("--root is the fingerprint: 64 hexadecimal digits")
        path, folder = options["audit"], options["out"]
        try:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
                found = read_audit_labels(file, Asked(root_id=root_id, now=timezone.now()))
        except OSError as error:
            raise CommandError(f"{path} cannot be read: {error.strerror}.") from None
        except Refused as refusal:
            self.stderr.write(f"refused: {refusal.code} {refusal.text}")
            return Exit.BAD
        _write(folder, found, write_card(found.labels, root_id, digest))
        self.stdout.write(f"{len(found.labels)} calls, labels.jsonl and README.md in {folder}")
        return Exit.GOOD


def _write(folder: Path, found: Gathered, card: str) -> None:
    lines = [json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in found.labels]
    try:
        folder.mkdir(parents=True)
        (folder / "labels.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
        (folder / "README.md").write_text(card, "utf-8")
    except FileExistsError:
        raise CommandError(f"{folder} is there already; name a folder that is not.") from None
    except OSError as error:
        raise CommandError(f"{folder} cannot be written: {error.strerror}.") from None
