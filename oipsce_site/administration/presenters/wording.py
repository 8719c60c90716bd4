"""Times, roles, places and acts in words, the same on every page of administration."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from oipsce_site.people.models import Site
from oipsce_site.people.roles import Role

ORGANISATION: Final = "the organisation"

#: What was done, by the kind that the decision log has for it.
ACTS: Final = {
    "person.appoint": "account made by a command, with a first role",
    "person.create": "account made",
    "person.describe": "name or address changed",
    "person.deactivate": "account deactivated, sessions ended",
    "person.reactivate": "account activated again",
    "person.password": "one-time password given, sessions ended",
    "person.own_password": "own password chosen",
    "person.second_factor_reset": "second factor removed, sessions ended",
    "person.sessions_end": "sessions ended",
    "person.own_sessions_end": "own sessions ended",
    "person.factor_add": "second factor or codes set up",
    "person.factor_remove": "second factor or codes taken away",
    "role.request": "role asked for",
    "role.grant": "role granted",
    "role.decline": "role declined",
    "role.withdraw": "request for a role withdrawn",
    "role.revoke": "role revoked",
}

_FACTORS: Final = {"totp": "authenticator app", "webauthn": "security key"}


def show_time(at: datetime | None, *, never: str = "never") -> str:
    """Return a time to the minute, in UTC and saying so."""
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC") if at else never


def role_words(role: str) -> str:
    """Return a role as people say it."""
    return str(Role(role).label)


def place_words(site: Site | None) -> str:
    """Return where a role is held."""
    return site.name if site else ORGANISATION


def factor_words(kinds: frozenset[str]) -> str:
    """Return which second factors there are; empty for none."""
    return ", ".join(_FACTORS[kind] for kind in sorted(kinds) if kind in _FACTORS)
