"""Both embedded services of a profile together: start or attach, stop, status."""

import shutil
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
        before = status(profile)
        how = _how(before, owner)
        # Before the engines: whoever is interrupted half way can still stop what is his.
        lease.write(profile, _lease_after(before.lease, how, owner))
        opened = postgres.start(profile)
        valkey.start(profile)
        databases.ensure_roles(profile)
        databases.ensure_database(profile, profile.database)
        return Started(how, tuple(opened))


def _how(before: Status, owner: int) -> How:
    held = before.lease
    if held is not None and held.is_held and held.owner.pid != owner:
        return "attached"
    if not before.is_up:
        return "started"
    if held is not None and held.is_manual:
        return "attached"
    return "adopted"


def _lease_after(before: lease.Lease | None, how: How, owner: int) -> lease.Lease:
    mine = lease.holder(owner)
    if before is None:
        return lease.Lease(mine)
    if how == "attached":
        return before.joined_by(mine) if owner else before
    return lease.Lease(mine, before.without(owner).guests)


def stop(profile: Profile, *, owner: int, force: bool = False) -> bool:
    """End the process's use of the services; returns whether that stopped them.

    Services with another owner, or with guests who still use them, are only stopped by force.
    """
    if not profile.run.exists():
        return False
    with lease.exclusive(profile):
        if not force and not _is_last(profile, owner):
            return False
        was_up = bool(postgres.pid(profile) or valkey.pid(profile))
        # The broker last: a worker that still ends its task wants to say so.
        postgres.stop(profile)
        valkey.stop(profile)
        lease.drop(profile)
        if profile.sockets.parent != profile.home:
            shutil.rmtree(profile.sockets, ignore_errors=True)
        return was_up


def _is_last(profile: Profile, owner: int) -> bool:
    """Tell whether nobody else uses the services; hands over or leaves when somebody does."""
    held = lease.read(profile)
    if held is None:
        return True
    left = held.without(owner)
    if held.owner.pid != owner and (held.is_held or held.is_manual):
        lease.write(profile, left)
        return False
    heir = left.handed_over()
    if heir is not None:
        lease.write(profile, heir)
    return heir is None


def stop_by_hand(profile: Profile, *, force: bool) -> bool:
    """Stop services that nobody alive uses; raises ServiceError when somebody does."""
    held = lease.read(profile)
    users = [] if held is None else [h.pid for h in (held.owner, *held.guests) if h.is_alive]
    if users and not force:
        raise ServiceError(
            f"the services of {profile.name} are used by the running process "
            f"{', '.join(map(str, users))}: end that one, or add --force"
        )
    return stop(profile, owner=0, force=True)


@contextmanager
def running(profile: Profile, *, owner: int) -> Iterator[Started]:
    """Keep the services up for the length of a block."""
    try:
        yield start(profile, owner=owner)
    finally:
        stop(profile, owner=owner)
