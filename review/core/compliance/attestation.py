"""What an officer attests for a site and a period: the universe of calls and what became of it.

The counts are a flat list of numbers by name, in the order of COUNTS, so that a record made today
reads the same in ten years. Each sample is counted by itself, and no rate is part of a record.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from oipsce_site.ledger.core.canonical import encode

#: Every count with its words, in the order of a page; a name never changes its meaning.
COUNTS: Final[dict[str, str]] = {
    "calls": "calls of the period",
    "withdrawn": "out: withdrawn with a reason",
    "in_scope": "in scope",
    "unmapped": "open: received, or waiting to be mapped or pre-filled",
    "in_review": "open: waiting for review, a second reader, or reopened",
    "overdue": "of the open ones, past the limit of their class",
    "signed": "signed",
    "signed_random": "signed, of the random sample",
    "signed_risk": "signed, selected by risk",
    "signed_other": "signed, of neither",
    "drawn_open": "of the random sample, not signed yet",
    "passed": "signed and passed",
    "failed_coverage": "signed, failed on coverage alone",
    "failed_order": "signed, failed on order alone",
    "failed_both": "signed, failed on both",
    "undetermined": "signed and undetermined",
    "failed_random": "failed, of the random sample",
    "failed_risk": "failed, selected by risk",
    "reopened": "signed calls that are reopened now",
    "signatures_ended": "signatures that have ended",
    "excepted": "failures that an exception covers",
    "exceptions": "exceptions that cover days of the period",
}

STATEMENT: Final = (
    "I attest that these counts are those of the system for this site and period on the day of my "
    "signature, and that what is open, overdue, failed or excepted is known to me. I mean my "
    "signature to be as binding as one by hand."
)


@dataclass(frozen=True, slots=True)
class Universe:
    """The counts of a site and period, and the calls that each catalog version has signed."""

    site: str
    first: date
    last: date
    counts: Mapping[str, int]
    versions: Mapping[str, int]

    def plain(self) -> dict[str, Any]:
        """Return it as a record holds it. Raises KeyError where a count is missing."""
        return {
            "site": self.site,
            "first": self.first.isoformat(),
            "last": self.last.isoformat(),
            "counts": {name: self.counts[name] for name in COUNTS},
            "versions": [[name, number] for name, number in sorted(self.versions.items())],
        }


#: What must add up to what; `signed_all` are the signed calls, those that are reopened included.
_PARTS: Final = (
    ("calls", ("withdrawn", "in_scope")),
    ("in_scope", ("unmapped", "in_review", "signed", "reopened")),
    ("signed_all", ("signed_random", "signed_risk", "signed_other")),
    (
        "signed_all",
        ("passed", "failed_coverage", "failed_order", "failed_both", "undetermined"),
    ),
)


class CannotAttest(ValueError):
    """The counts are none that anybody may attest; the sentence says why."""


def check_universe(one: Universe, today: date) -> None:
    """Raise CannotAttest for a period that is not over, or counts that do not add up."""
    if one.last >= today:
        raise CannotAttest("The period is not over yet, so its counts may still change.")
    count = one.counts
    sums = {**count, "signed_all": count["signed"] + count["reopened"]}
    for whole, names in _PARTS:
        if sums[whole] != sum(count[name] for name in names):
            raise CannotAttest(
                f"The counts do not add up at {', '.join(names)}: calls moved while they were "
                "counted. Load the page again."
            )


def digest_of(data: bytes) -> str:
    """Return the digest of the bytes of a universe or record, in hex."""
    return hashlib.sha256(b"oip-sce/attestation/v1\0" + data).hexdigest()


def seen_in(record: bytes) -> str:
    """Return the digest of the counts that a record holds, as of the universe by itself."""
    return digest_of(encode(json.loads(record)["universe"]))
