"""Sessions in words: one's own, and those that have ended."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from oipsce_site.administration.presenters.wording import show_time
from oipsce_site.administration.queries import OpenSession
from oipsce_site.people.models import EndedWhy

#: What an address may name as the end of a session, and the sentence for it.
_ENDED = {
    EndedWhy.SURPLUS.value: "Your session was ended: you signed in at more places than are held at "
    "once. Was it not you? Change your password and end the other sessions.",
    EndedWhy.ADMINISTRATOR.value: "An administrator ended your session.",
    EndedWhy.OWNER.value: "You ended this session from another place.",
    "LONG": "Your session ended after twelve hours.",
}
LONG = "LONG"


@dataclass(frozen=True, slots=True)
class OwnSession:
    """One of one's own sessions. Without `id` it is not ended alone."""

    id: int | None
    started: str
    seen: str
    address: str
    browser: str
    is_this: bool


def show_own_sessions(found: Iterable[OpenSession], key: str) -> tuple[OwnSession, ...]:
    """Draw the sessions of a person who looks at them with the session of this key: that first."""
    shown = [
        OwnSession(
            id=one.id,
            started=show_time(one.started_at, never="not noted"),
            seen=show_time(one.seen_at),
            address=one.address,
            browser=one.browser,
            is_this=one.key == key,
        )
        for one in found
    ]
    return tuple(sorted(shown, key=lambda one: not one.is_this))


def say_where(one: OpenSession) -> str:
    """Return from where and since when a session was held."""
    since = show_time(one.started_at, never="a time that was not noted")
    return f"from {one.address or 'a place that was not noted'} since {since}"


def say_ended(code: str) -> str:
    """Return the sentence for the code of an ended session; empty for any other text."""
    return _ENDED.get(code, "")
