"""Test databases: one migrated template per state of the migrations, one copy per worker."""

import fcntl
import hashlib
import os
import subprocess
import sys
from pathlib import Path

from django.db import connection

from oipsce_site import environment
from oipsce_site.services import databases
from oipsce_site.services.layout import CHECKOUT, Profile

TEMPLATE_PREFIX = "template_"
COPY_PREFIX = "copy_"
_FRESH = "fresh_template"

# Whatever a migrated database follows from; a change here means a new template.
_INPUTS = (
    "*/migrations/**/*",
    "*/models/**/*.py",
    "*/models.py",
    "oipsce_site/*/migrations/**/*",
    "oipsce_site/*/models.py",
    "oipsce_site/settings/base.py",
    "oipsce_site/services/databases.py",
    "requirements/app.txt",
)


def make_copy(profile: Profile, name: str = "") -> str:
    """Make a fresh database from the template; returns its name, this process's own by default."""
    name = name or f"{COPY_PREFIX}{os.getpid()}"
    with (profile.run / "template.lock").open("w") as handle:
        # Workers start together: one migrates, the others wait here and find its work.
        fcntl.flock(handle, fcntl.LOCK_EX)
        template = _ensure_template(profile)
        databases.drop_database(profile, name)
        databases.ensure_database(profile, name, template=template)
    return name


def drop_copy(profile: Profile, name: str) -> None:
    """Remove a copy."""
    databases.drop_database(profile, name)


def connect_to(name: str) -> None:
    """Point Django at the copy, for this process."""
    connection.close()
    connection.settings_dict["NAME"] = name


def disconnect() -> None:
    """Close this process's session, so that the copy can be dropped."""
    connection.close()


def _ensure_template(profile: Profile) -> str:
    template = TEMPLATE_PREFIX + _digest()
    if template in databases.list_databases(profile, TEMPLATE_PREFIX):
        return template
    _drop_idle(profile)
    databases.drop_database(profile, _FRESH)
    databases.ensure_database(profile, _FRESH)
    migrate(_FRESH, f"oipsce_site.settings.{profile.name}")
    databases.rename_database(profile, _FRESH, template)
    return template


def migrate(name: str, settings: str = "oipsce_site.settings.test") -> None:
    """Migrate a database as the owner, in a process of its own."""
    env = environment.inherited(
        DJANGO_SETTINGS_MODULE=settings,
        OIPSCE_DB_ROLE="owner",
        OIPSCE_DB_NAME=name,
    )
    words = [sys.executable, str(CHECKOUT / "manage.py"), "migrate", "--verbosity", "0"]
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"migrate ended with {done.returncode}:\n{done.stderr}")


def _drop_idle(profile: Profile) -> None:
    """Remove templates of older states, and copies whose killed worker left them behind."""
    for prefix in (TEMPLATE_PREFIX, COPY_PREFIX):
        for name in databases.list_idle_databases(profile, prefix):
            databases.drop_database(profile, name)


def _digest() -> str:
    found = {path for pattern in _INPUTS for path in CHECKOUT.glob(pattern)}
    lines = [_line(path) for path in sorted(found) if path.is_file() and path.suffix != ".pyc"]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def _line(path: Path) -> str:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return f"{path.relative_to(CHECKOUT)} {digest}"
