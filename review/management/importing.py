"""Import of call files for commands: read, store portion after portion, ring the bell for each.

One refused call stops no other. The bell may fail: the runs are there, and the sweep rings again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from oipsce_site.people.models import Site, User
from review.actions.acting import importing_actor
from review.actions.portions import AS_USUAL, Asked, Importer, Taken, import_portion
from review.core.batches import File, Found, read_portions
from review.permissions import check_takes_calls
from review.tasks import ring_for_prefills


def importer_of(site: Site, by: User | None, asked: Asked = AS_USUAL) -> Importer:
    """Return who imports here; `by` None is the operator of this machine. Raises NotAllowed."""
    check_takes_calls(site)
    actor = importing_actor(by, site)
    return Importer(site, actor, by, asked)


def import_file(data: bytes, *, name: str, form: str | None, importer: Importer) -> Iterator[Taken]:
    """Import every call of a file or archive and yield what became of each."""
    return import_files([(name, data)], form=form, importer=importer)


def import_files(files: Sequence[File], *, form: str | None, importer: Importer) -> Iterator[Taken]:
    """Import every call of some files, those of one call together; see `import_file`."""
    for portion in read_portions(files, form=form, parts_done=0, in_part=0):
        yield from take(portion.found, importer=importer)


def take(found: Sequence[Found], *, importer: Importer) -> list[Taken]:
    """Import what was found and have its rows filled."""
    taken = import_portion(importer=importer, found=found, at=datetime.now(UTC))
    if any(not one.is_refused for one in taken):
        ring_for_prefills()
    return taken
