"""How long a person must have had a signing page before them: what comes sooner was not read.

Source: OWASP ASVS 5.0 2.4.2 (human timing); audit_security 2b step 2.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

LEAST_LOOK: Final = timedelta(milliseconds=800)
TOO_FAST: Final = (
    "This came sooner after the page than anybody reads it, so nothing is signed. Look at what is "
    "signed, and send it again."
)


def is_too_fast(shown_at: datetime, at: datetime) -> bool:
    """Say whether a form came back sooner than a person can have looked at its page."""
    return at - shown_at < LEAST_LOOK
