"""Names and formats of a signed audit (docs/audit.md describes every file)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from enum import Enum
from typing import Final

STATEMENT: Final = "https://in-toto.io/Statement/v1"
PREDICATE: Final = "urn:oip-sce:audit:v1"
CALL_FORMAT: Final = "oip-sce/call/v1"
HEADS_FORMAT: Final = "oip-sce/heads/v1"
UNIVERSE_FORMAT: Final = "oip-sce/universe/v1"
RECORDS_DOMAIN: Final = b"oip-sce/records/v1\0"

MANIFEST: Final = "manifest.dsse.json"
KEYRING: Final = "keys/keyring.dsse.json"
ROSTER: Final = "keys/roster.dsse.json"
ROOT_PEM: Final = "keys/root.pem"
EXPORT_PEM: Final = "keys/export.pem"
CHECKPOINT: Final = "proofs/checkpoint.txt"
HEADS: Final = "proofs/heads.json"
CONSISTENCY: Final = "proofs/consistency.json"
UNIVERSE: Final = "universe.json"
README: Final = "README.txt"
REPORT_HTML: Final = "report.html"
REPORT_CSV: Final = "report.csv"
REPORT_PDF: Final = "report.pdf"
VERIFIER: Final = "oip_verify.py"

#: Names are lower-case ASCII words, dots and hyphens: no name can mean two places anywhere.
NAME: Final = re.compile(
    r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}(?:/[A-Za-z0-9][A-Za-z0-9._-]{0,99}){0,3}"
)
MOST_CALLS: Final = 20_000
#: The kind of the entry that says that a call's words were erased.
ERASE: Final = "call.erase"


class Profile(Enum):
    """How much of the calls an audit discloses."""

    FULL = "full"
    MINIMUM = "minimum"
    DEIDENTIFIED = "deidentified"


class Why(Enum):
    """Why a call of the site is in an audit, or is not."""

    INCLUDED = "included"
    NOT_SIGNED = "not_signed"
    OTHER_DATE = "other_date"
    OTHER_CATALOG = "other_catalog"
    OTHER_VERDICT = "other_verdict"
    ERASED = "erased"


def record_name(call: str) -> str:
    """Return where a call's record is."""
    return f"calls/{call}/record.json"


def chain_name(call: str) -> str:
    """Return where a call's chain is."""
    return f"calls/{call}/chain.jsonl"


def sheet_name(call: str) -> str:
    """Return where the PDF of a call is."""
    return f"calls/{call}/report.pdf"


def transcript_name(call: str) -> str:
    """Return where a call's transcript is."""
    return f"calls/{call}/transcript.json"


def erased_name(call: str) -> str:
    """Return where the end of an erased call's chain is: from its entry ``call.erase`` on."""
    return f"erased/{call}.jsonl"


def catalog_name(digest: str) -> str:
    """Return where the content of a catalog version is, in its canonical form."""
    return f"catalogs/{digest}.json"


def catalog_text_name(digest: str) -> str:
    """Return where the text of a catalog version is, as it was published."""
    return f"catalogs/{digest}.yaml"


def in_order(names: Iterable[str]) -> list[str]:
    """Return names in the order of the container: sorted, and the manifest last."""
    return sorted(names, key=lambda name: (name == MANIFEST, name))


def records_digest(digests: Iterable[bytes]) -> str:
    """Return the digest that the reports carry: over the digests of all records, in order."""
    return hashlib.sha256(RECORDS_DOMAIN + b"".join(digests)).hexdigest()
