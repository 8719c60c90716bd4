"""Who may stop the services of a profile.

The lease names one owner. Whoever finds live services whose owner lives only attaches, is noted
as a guest and stops nothing. An owner who leaves before its guests hands the lease to one of
them; when the owner is gone (kill -9), the next to come takes it over. Services started by hand
have no owner and stay until they are stopped by hand.
"""

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from oipsce_site.services import processes
from oipsce_site.services.layout import Profile


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that uses the services: its id and birth mark; id 0 for "by hand"."""

    pid: int
    birth: str

    @property
    def is_alive(self) -> bool:
        """Tell whether that very process still lives."""
        return processes.is_running(self.pid) and processes.birth(self.pid) == self.birth


@dataclass(frozen=True, slots=True)
class Lease:
    """The owner and the guests, in the order they came."""

    owner: Holder
    guests: tuple[Holder, ...] = ()

    @property
    def is_held(self) -> bool:
        """Tell whether a living process owns the services."""
        return self.owner.is_alive

    @property
    def is_manual(self) -> bool:
        """Tell whether the services were started by hand."""
        return self.owner.pid == 0

    def joined_by(self, guest: Holder) -> "Lease":
        """Return the lease with one more guest; a guest is noted once."""
        return self.without(guest.pid)._with(guest)

    def without(self, pid: int) -> "Lease":
        """Return the lease without that guest and without guests that died."""
        return Lease(self.owner, tuple(g for g in self.guests if g.pid != pid and g.is_alive))

    def handed_over(self) -> "Lease | None":
        """Return the lease of the first living guest, or None when there is none."""
        heirs = [guest for guest in self.guests if guest.is_alive and guest.pid != self.owner.pid]
        return Lease(heirs[0], tuple(heirs[1:])) if heirs else None

    def _with(self, guest: Holder) -> "Lease":
        return Lease(self.owner, (*self.guests, guest))


@contextmanager
def exclusive(profile: Profile) -> Iterator[None]:
    """Let one process at a time start or stop; the kernel frees the lock of a killed one."""
    processes.own_folder(profile.run, mode=0o700)
    with (profile.run / "mutex").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def holder(pid: int) -> Holder:
    """Return the living process of that id as a holder; 0 stands for "by hand"."""
    return Holder(pid, processes.birth(pid) if pid else "")


def read(profile: Profile) -> Lease | None:
    """Return the lease, or None when there is none or it is not readable as one."""
    try:
        found = json.loads((profile.run / "lease.json").read_text(encoding="ascii"))
        return Lease(Holder(*found["owner"]), tuple(Holder(*guest) for guest in found["guests"]))
    except (FileNotFoundError, ValueError, TypeError, KeyError):
        return None


def write(profile: Profile, lease: Lease) -> None:
    """Store the lease, whole or not at all."""
    entries = {
        "owner": [lease.owner.pid, lease.owner.birth],
        "guests": [[guest.pid, guest.birth] for guest in lease.guests],
    }
    fresh = profile.run / "lease.json.new"
    fresh.write_text(json.dumps(entries), encoding="ascii")
    fresh.replace(profile.run / "lease.json")


def drop(profile: Profile) -> None:
    """Remove the lease, if any."""
    (profile.run / "lease.json").unlink(missing_ok=True)
