"""How the settings reach PostgreSQL and the broker: by URL, or embedded under var/.

Nothing here opens a connection or a secret: the embedded passwords stay in a file that libpq
reads at connection time, so settings import before the services were ever started.
"""

from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from oipsce_site import environment
from oipsce_site.services.layout import Profile

_SCHEMES = {"postgres", "postgresql"}
_BACKEND = "django.db.backends.postgresql"


def database(profile: Profile | None, *, name: str = "") -> dict[str, Any]:
    """Return Django's description of the one database, for the role this process asked for.

    Raises EnvironmentValueError for an unknown role, a malformed address, or no address where
    there is no embedded server.
    """
    role = environment.text("OIPSCE_DB_ROLE", "app")
    if role not in {"app", "owner"}:
        raise environment.EnvironmentValueError(f"OIPSCE_DB_ROLE is {role!r}: write app or owner")
    variable = "DATABASE_OWNER_URL" if role == "owner" else "DATABASE_URL"
    if profile is None or environment.text("DATABASE_URL"):
        url = environment.required(variable, "write postgresql://user:password@host:port/name")
        given = from_url(url, variable)
        if profile is not None:
            # Tests have several databases on one server.
            given["NAME"] = environment.text("OIPSCE_DB_NAME", given["NAME"])
        return {**given, **_POLICY}
    return {**_embedded(profile, role, name), **_POLICY}


_POLICY: dict[str, Any] = {
    "ENGINE": _BACKEND,
    # Actions open their own atomic blocks: one block per request would hold row locks while a
    # page is being rendered.
    "ATOMIC_REQUESTS": False,
    "CONN_MAX_AGE": 60,
    "CONN_HEALTH_CHECKS": True,
}


def _embedded(profile: Profile, role: str, name: str) -> dict[str, Any]:
    return {
        "NAME": environment.text("OIPSCE_DB_NAME", name or profile.database),
        "USER": profile.owner_role if role == "owner" else profile.app_role,
        "HOST": str(profile.postgres_sockets),
        "PORT": str(profile.postgres_port),
        "OPTIONS": {"passfile": str(profile.passfile), "connect_timeout": 10},
    }


def from_url(url: str, variable: str) -> dict[str, Any]:
    """Split a postgresql:// address into Django's parts; raises EnvironmentValueError.

    The message never repeats the address: it holds a password.
    """
    parts = urlsplit(url)
    if parts.scheme not in _SCHEMES or not parts.path.strip("/"):
        raise environment.EnvironmentValueError(
            f"{variable} is no database address: write postgresql://user:password@host:port/name"
        )
    return {
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(parts.port or ""),
        "OPTIONS": dict(parse_qsl(parts.query)),
    }


def broker(profile: Profile | None) -> str:
    """Return Celery's broker address; raises EnvironmentValueError where none can be had."""
    if profile is None:
        return environment.required("REDIS_URL", "write redis://host:port/number")
    embedded = f"redis+socket://{profile.valkey_socket}?virtual_host=0"
    return environment.text("REDIS_URL", embedded)
