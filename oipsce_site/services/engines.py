"""Both embedded services of a profile together: start or attach, stop, status."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from oipsce_site.services import databases, lease, postgres, valkey
from oipsce_site.services.layout import Profile
from oipsce_site.services.processes import ServiceError

How = Literal["started", "adopted", "attached"]


@dataclass(frozen=True, slots=True)
class Started:
    """How the services came up for the caller, and the folders made passable on the way."""

    how: How
    opened: tuple[Path, ...] = ()

    @property
    def sentence(self) -> str:
        """Say in one line what happened, with what was changed on this machine."""
        told = {
            "started": "embedded PostgreSQL and Valkey started",
            "adopted": "took over running services whose owner is gone",
            "attached": "using services that were already running; they will be left running",
        }[self.how]
        if self.opened:
            folders = ", ".join(str(folder) for folder in self.opened)
            told += f" (PostgreSQL runs under an account of its own; added o+x to {folders})"
        return told


@dataclass(frozen=True, slots=True)
class Status:
    """Process ids of both services (0: not running) and the lease."""

    postgres: int
    valkey: int
    lease: lease.Lease | None

    @property
    def is_up(self) -> bool:
        """Tell whether both run."""
        return bool(self.postgres and self.valkey)


def status(profile: Profile) -> Status:
    """Return what runs now; starts and waits for nothing."""
    return Status(postgres.pid(profile), valkey.pid(profile), lease.read(profile))


def start(profile: Profile, *, owner: int) -> Started:
    """Bring both services up for the owner's process (0: by hand), or attach to living ones.

    Raises ServiceError when one cannot start.
    """
    with lease.exclusive(profile):
        how = _how(status(profile), owner)
        if how != "attached":
            # Before the engines: whoever is interrupted half way can still stop what is his.
            lease.write(profile, owner)
        opened = postgres.start(profile)
        valkey.start(profile)
        databases.ensure_roles(profile)
        databases.ensure_database(profile, profile.database)
        return Started(how, tuple(opened))


def _how(before: Status, owner: int) -> How:
    holder = before.lease
    if holder is not None and holder.is_held and holder.pid != owner:
        return "attached"
    if not before.is_up:
        return "started"
    if holder is not None and holder.is_manual:
        return "attached"
    return "adopted"


def stop(profile: Profile, *, owner: int, force: bool = False) -> bool:
    """Stop both services when the process owns them; returns whether they were stopped.

    Services with another living owner are only stopped by force.
    """
    if not profile.run.exists():
        return False
    with lease.exclusive(profile):
        holder = lease.read(profile)
        if holder is not None and holder.pid != owner and not force:
            return False
        was_up = bool(postgres.pid(profile) or valkey.pid(profile))
        # The broker last: a worker that still ends its task wants to say so.
        postgres.stop(profile)
        valkey.stop(profile)
        lease.drop(profile)
        return was_up


def stop_by_hand(profile: Profile, *, force: bool) -> bool:
    """Stop services that nobody alive owns; raises ServiceError when somebody does."""
    holder = lease.read(profile)
    if holder is not None and holder.is_held and not force:
        raise ServiceError(
            f"the services of {profile.name} belong to the running process {holder.pid}: "
            "end that one, or add --force"
        )
    return stop(profile, owner=holder.pid if holder else 0, force=force)


@contextmanager
def running(profile: Profile, *, owner: int) -> Iterator[Started]:
    """Keep the services up for the length of a block."""
    try:
        yield start(profile, owner=owner)
    finally:
        stop(profile, owner=owner)
