"""A catalog of twelve phases: the six of the shipped benefits catalog, and each once more."""

from __future__ import annotations

import re

from tests.factories import catalog_source

_HEAD, _TAIL = "\nphases:", "\ntests:"
_ID = re.compile(r"^  - id: (\w+)$", re.M)


def twelve_phases(*changes: tuple[str, str]) -> bytes:
    """Return the doubled catalog's bytes, with these texts replaced before it is doubled."""
    text = catalog_source("benefits_verification", *changes).decode()
    before, rest = text.split(_HEAD)
    phases, after = rest.split(_TAIL)
    ids = _ID.findall(phases)
    again = re.sub(rf"\b({'|'.join(ids)})\b", r"\1_AGAIN", phases)
    return f"{before}{_HEAD}{phases}{again}{_TAIL}{after}".encode()
