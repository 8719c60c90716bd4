"""The list of erased calls that lies outside the database and its backups: ids, one a line.

A database that is put back from a backup has words again that were erased after it was made. This
list does not come back with it, so they can be erased again before anybody uses the site.
"""

from __future__ import annotations

import os
from pathlib import Path
from uuid import UUID

from django.conf import settings

from review.queries.retention import erased_ids


def erasure_list() -> Path:
    """Return where the list lies: beside the key file, where nothing else is said."""
    stated = str(settings.ERASURE_LIST_FILE)
    return Path(stated or Path(settings.SEALING_KEY_FILE).with_name("erased-calls.txt"))


def remembered_erasures() -> list[UUID]:
    """Return the ids of the list. Raises OSError, or ValueError for a line that is no id."""
    try:
        lines = erasure_list().read_text(encoding="ascii").split()
    except FileNotFoundError:
        return []
    return [UUID(line) for line in lines]


def remember_erasures() -> int:
    """Add the erased calls of the database that the list lacks; returns how many.

    Nothing is ever taken off it. Raises as `remembered_erasures` does.
    """
    known = set(remembered_erasures())
    new = [one for one in erased_ids() if one not in known]
    if new:
        with erasure_list().open("a", encoding="ascii") as file:
            file.writelines(f"{one}\n" for one in new)
            file.flush()
            os.fsync(file.fileno())
    return len(new)
