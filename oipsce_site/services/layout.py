"""Where a profile's files lie: paths and names only, nothing is created or opened here.

A profile each for the demo, for the tests and for the tests that kill services, so that none
disturbs another. Sockets lie beside the data
unless their path would not fit into the kernel's 108 bytes; then in a short folder under the
temporary folder, named by a digest of the long one, so that two checkouts never meet.
"""

import hashlib
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

PROFILE_NAMES = ("demo", "test", "faults")
CHECKOUT = Path(__file__).resolve().parents[2]

# The kernel takes 108 bytes with the closing zero; PostgreSQL appends ".lock" to the name.
_SOCKET_PATH_LIMIT = 100
_POSTGRES_PORT = 5432


class UnknownProfileError(ValueError):
    """No such profile; the text lists the ones there are."""


@dataclass(frozen=True, slots=True)
class Profile:
    """One pair of embedded services and everything they own on disk."""

    name: str
    checkout: Path
    # The administrator's address of a PostgreSQL elsewhere, which then stands in for the embedded
    # one: tests only. It holds a password.
    server_url: str = field(default="", repr=False)

    @property
    def home(self) -> Path:
        """The folder of all files of this profile."""
        return self.checkout / "var" / self.name

    @property
    def run(self) -> Path:
        """The 0700 folder of passwords and of the lease."""
        return self.home / "run"

    @property
    def logs(self) -> Path:
        """The folder of the engines' own logs."""
        return self.home / "logs"

    @property
    def postgres_data(self) -> Path:
        """PostgreSQL's cluster."""
        return self.home / "postgres"

    @property
    def valkey_data(self) -> Path:
        """Valkey's append-only files."""
        return self.home / "valkey"

    @property
    def sockets(self) -> Path:
        """The folder above both socket folders, short enough for the kernel."""
        near = self.home / "sockets"
        longest = near / "postgres" / f".s.PGSQL.{_POSTGRES_PORT}.lock"
        if len(os.fsencode(longest)) <= _SOCKET_PATH_LIMIT:
            return near
        digest = hashlib.sha256(os.fsencode(near)).hexdigest()[:12]
        return Path(tempfile.gettempdir()) / f"oip-{os.getuid()}-{digest}"

    @property
    def postgres_sockets(self) -> Path:
        """The folder PostgreSQL puts its socket into; clients take it as the host."""
        return self.sockets / "postgres"

    @property
    def postgres_port(self) -> int:
        """Part of the socket's name only: no TCP port is opened."""
        return _POSTGRES_PORT

    @property
    def valkey_socket(self) -> Path:
        """Valkey's socket."""
        return self.sockets / "valkey" / "valkey.sock"

    @property
    def passfile(self) -> Path:
        """The passwords of both roles in libpq's format, mode 0600; read by libpq itself."""
        return self.run / "pgpass"

    @property
    def superuser_passfile(self) -> Path:
        """The cluster's own administrator; only `oipsce_site.services` uses it."""
        return self.run / "pgpass-admin"

    @property
    def secret_key_file(self) -> Path:
        """The signing key of this profile's sessions."""
        return self.run / "secret_key"

    @property
    def superuser_role(self) -> str:
        """The cluster's administrator: makes roles and databases, never used by the site."""
        return "oip_admin"

    @property
    def owner_role(self) -> str:
        """The role that owns the databases and migrates."""
        return "oip_owner"

    @property
    def app_role(self) -> str:
        """The role of web, worker and tests."""
        return "oip_app"

    @property
    def database(self) -> str:
        """The profile's standing database."""
        return "oip"


def profile(name: str, checkout: Path = CHECKOUT) -> Profile:
    """Return the profile of that name in this checkout; raises UnknownProfileError."""
    if name not in PROFILE_NAMES:
        raise UnknownProfileError(f"no profile {name!r}: choose {' or '.join(PROFILE_NAMES)}")
    return Profile(name=name, checkout=checkout)


def read_secret(path: Path) -> str:
    """Return the secret in the file, or "" while the services have never been started."""
    try:
        return path.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return ""
