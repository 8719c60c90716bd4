"""Who may stop the services of a profile.

The lease names one process. Whoever finds live services whose owner lives only attaches and
never stops them; when the owner is gone (kill -9), the next to come takes the lease over.
Services started by hand have no owner and stay until they are stopped by hand.
"""

import fcntl
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass

from oipsce_site.services import processes
from oipsce_site.services.layout import Profile


@dataclass(frozen=True, slots=True)
class Lease:
    """The owner's process id and birth mark; id 0 for services started by hand."""

    pid: int
    birth: str = ""

    @property
    def is_held(self) -> bool:
        """Tell whether a living process owns the services."""
        return processes.is_running(self.pid) and processes.birth(self.pid) == self.birth

    @property
    def is_manual(self) -> bool:
        """Tell whether the services were started by hand."""
        return self.pid == 0


@contextmanager
def exclusive(profile: Profile) -> Iterator[None]:
    """Let one process at a time start or stop; the kernel frees the lock of a killed one."""
    processes.own_folder(profile.run, mode=0o700)
    with (profile.run / "mutex").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def read(profile: Profile) -> Lease | None:
    """Return the lease, or None when there is none or it was torn while being written."""
    try:
        return Lease(**json.loads((profile.run / "lease.json").read_text(encoding="ascii")))
    except (FileNotFoundError, ValueError, TypeError):
        return None


def write(profile: Profile, pid: int) -> Lease:
    """Make the process the owner (0: started by hand) and return the lease."""
    lease = Lease(pid, processes.birth(pid) if pid else "")
    fresh = profile.run / "lease.json.new"
    fresh.write_text(json.dumps(asdict(lease)), encoding="ascii")
    fresh.replace(profile.run / "lease.json")
    return lease


def drop(profile: Profile) -> None:
    """Remove the lease, if any."""
    (profile.run / "lease.json").unlink(missing_ok=True)
