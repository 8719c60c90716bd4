"""The programs that are handed out as one file each."""

from __future__ import annotations

from functools import cache
from typing import Final

from oipsce_site.single_file import join_modules

#: By name: the module whose ``main()`` runs, and what the file is for.
PROGRAMS: Final = {
    "verifier": (
        "review.core.verify.program",
        "Verify a signed OIP-SCE audit (.oipaudit.zip) without trusting who made it.",
    ),
    "witness": (
        "oipsce_site.ledger.witness",
        "Witness the decision log of an OIP-SCE installation from outside.",
    ),
}


@cache
def program(name: str) -> bytes:
    """Return the one file of a program. Raises KeyError for an unknown name."""
    entry, purpose = PROGRAMS[name]
    return join_modules(entry, purpose)
