"""One-time passwords, made to be read aloud or typed from paper."""

from __future__ import annotations

import secrets
from typing import Final

# Without letters and digits that are taken for one another: 0 and o, 1 and l and i.
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_GROUPS: Final = 4
_IN_A_GROUP: Final = 4


def new_password() -> str:
    """Return a random password of four groups of four characters (79 bits)."""
    groups = ("".join(secrets.choice(_LETTERS) for _ in range(_IN_A_GROUP)) for _ in range(_GROUPS))
    return "-".join(groups)
