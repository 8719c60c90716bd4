"""When a page was shown, as its form brings it back: sealed by the server, for one person and one
screen.
"""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

from django.core import signing

_SALT = "review.signing.shown"


class NotShown(Exception):
    """What the form brought back was not made by this server for this person and screen."""


def seal_shown(screen: str, person_id: UUID, at: datetime) -> str:
    """Return what the form carries: that the screen was shown to the person at this time."""
    return signing.dumps([screen, str(person_id), int(at.timestamp() * 1000)], salt=_SALT)


def read_shown(token: str, screen: str, person_id: UUID) -> datetime:
    """Return when the screen was shown to the person. Raises NotShown."""
    try:
        shown, person, milliseconds = signing.loads(token, salt=_SALT)
    except (signing.BadSignature, ValueError, TypeError):
        raise NotShown("the page's time is not one that this server wrote") from None
    if (shown, person) != (screen, str(person_id)):
        raise NotShown("the page's time is that of another page or person")
    return datetime.fromtimestamp(milliseconds / 1000, tz=UTC)
