"""What the sealer remembers outside the database: the last checkpoint it has signed.

A database that is restored from a backup knows nothing of what was sealed after it. This file does,
so it lies in another place than the database and is not part of its backup.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from oipsce_site.signing.core.note import Checkpoint, open_checkpoint
from oipsce_site.signing.core.refusals import Refused


@dataclass(frozen=True, slots=True)
class Memory:
    """The file that holds the last note."""

    path: Path

    def note(self) -> bytes | None:
        """Return the last note; None where none was ever signed here. Raises OSError."""
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return None

    def keep(self, note: bytes) -> None:
        """Replace the note, whole or not at all. Raises OSError."""
        beside = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        with beside.open("wb") as file:
            file.write(note)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self.path)


def open_memory() -> Memory:
    """Return the memory of this machine's sealer."""
    place = str(settings.LAST_CHECKPOINT_FILE)
    return Memory(Path(place or Path(settings.SIGNING_KEY_DIR) / "last-checkpoint.txt"))


def read_note(note: bytes, keys: list[bytes]) -> Checkpoint:
    """Return the checkpoint of a note that one of these log keys signed. Raises Refused."""
    origin = note.split(b"\n", 1)[0].decode("ascii", errors="replace")
    for key in keys:
        try:
            return open_checkpoint(note, origin, key, "the remembered checkpoint")
        except Refused:
            continue
    raise Refused("E-NOTE-SIG", "the remembered checkpoint is not signed by a log key of ours")
