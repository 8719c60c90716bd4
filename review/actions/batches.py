"""Import batches: received from a person, read by a worker under a lease, paused and resumed.

The row of the batch is the truth. Lines and cursor move in one transaction, so that a killed worker
leaves neither a call without its line nor a line twice; `attempts` fences as for pre-fills.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Count

from oipsce_site.ledger.actors import person, worker
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About, Actor
from oipsce_site.ledger.record import record
from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from oipsce_site.rows import Row, insert_rows
from oipsce_site.sealing import CallSealer, new_data_key
from review.actions.portions import AS_USUAL, Asked, Importer, Taken, import_portion
from review.core.batches import Portion, count_all
from review.core.transcript import MAX_BYTES
from review.models import BatchState, ImportBatch, ImportFile, ImportLine, LineWord
from review.permissions import check_can_import
from review.queries import batch_waits, readable_sites

LEASE = timedelta(seconds=45)
MOST_LOSSES = 3
MOST_FILES = 1000
_SWEEPER = "import"


class UnableToBatch(Exception):
    """The batch cannot be taken, stored or moved on as asked; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it came: its name and its bytes."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Options:
    """How files are read: their format (None: by content), and what was decided beforehand."""

    form: str | None = None
    asked: Asked = AS_USUAL


@dataclass(frozen=True, slots=True)
class StartedBatch:
    """What a worker needs: the batch and attempt, how far it is, and how its files are read.

    `parts_done` parts are read to their end, and `in_part` lines of the next one are stored.
    """

    batch_id: UUID
    attempt: int
    parts_done: int
    in_part: int
    form: str | None


def receive_batch(
    *,
    batch_id: UUID,
    site: Site,
    uploads: Sequence[Upload],
    options: Options = Options(),
    by: User,
    at: datetime,
) -> None:
    """Take files of calls in, sealed, for a worker to read.

    Raises NotAllowed, or UnableToBatch for no file, an empty one, or one beyond the limits.
    """
    role = check_can_import(by, site)
    _check_uploads(uploads)
    batch = ImportBatch(
        id=batch_id,
        site=site,
        name=_name(uploads),
        form=options.form or "",
        confirm_roles=options.asked.confirm_roles,
        new_revision=options.asked.new_revision,
        state=BatchState.QUEUED,
        parts=count_all([(upload.name, upload.data) for upload in uploads]),
        wrapped_key=new_data_key(),
        received_at=at,
        received_by=by,
        role=role,
    )
    sealer = CallSealer(site.pk, batch.pk, batch.wrapped_key)
    with transaction.atomic():
        batch.save(force_insert=True)
        for position, upload in enumerate(uploads):
            ImportFile.objects.create(
                batch=batch,
                position=position,
                name=upload.name,
                size=len(upload.data),
                sha256=hashlib.sha256(upload.data).hexdigest(),
                sealed=sealer.seal_bytes(f"file:{position}", upload.data),
            )
        _record(batch, "batch.receive", person(by, role), at, {"files": len(uploads)})


def claim_batch(*, at: datetime) -> StartedBatch | None:
    """Take the oldest waiting batch under a lease; None when none waits.

    Waiting is a queued batch, or one whose worker let its lease run out. One that was lost three
    times in a row without a stored line is ended, and another one is looked for.
    """
    with transaction.atomic():
        batch = (
            ImportBatch.objects.select_for_update(skip_locked=True, of=("self",))
            .filter(batch_waits(at))
            .order_by("received_at", "id")
            .first()
        )
        if batch is None:
            return None
        if batch.state == BatchState.RUNNING:
            batch.losses += 1
        if batch.losses < MOST_LOSSES:
            batch.state = BatchState.RUNNING
            batch.attempts += 1
            batch.lease_until = at + LEASE
            batch.save(update_fields=["state", "attempts", "losses", "lease_until"])
            return StartedBatch(
                batch.pk, batch.attempts, batch.parts_done, batch.in_part, batch.form or None
            )
        _end(batch, BatchState.FAILED, _SWEEPER, at, _lost(batch))
    return claim_batch(at=at)


def open_files(*, started: StartedBatch) -> list[Upload]:
    """Return the files of a batch to the worker that holds it. Raises SealBroken."""
    batch = ImportBatch.objects.get(pk=started.batch_id)
    sealer = CallSealer(batch.site_id, batch.pk, batch.wrapped_key)
    return [
        Upload(file.name, sealer.open_bytes(f"file:{file.position}", file.sealed))
        for file in batch.files.order_by("position")
    ]


def store_portion(*, started: StartedBatch, portion: Portion, at: datetime) -> bool:
    """Store a portion's calls and lines, and say whether the worker is to go on.

    A batch that a person has paused keeps the portion: nothing read is lost. Raises UnableToBatch
    when another worker has taken the batch over; then nothing is stored.
    """
    with transaction.atomic():
        batch = _load_fenced(started)
        taken = import_portion(importer=_importer(batch), found=portion.found, at=at)
        insert_rows(ImportLine._meta.db_table, _lines(batch, taken))
        batch.cursor += len(taken)
        batch.expected += portion.newly_found
        batch.parts_done, batch.in_part = portion.parts_done, portion.in_part
        batch.losses = 0
        if batch.state == BatchState.RUNNING:
            batch.lease_until = at + LEASE
        batch.save(
            update_fields=[
                *("cursor", "expected", "parts_done", "in_part", "losses", "lease_until")
            ]
        )
    return batch.state == BatchState.RUNNING


def release_batch(*, started: StartedBatch, at: datetime) -> None:
    """Give a batch back that is not read to its end, for the next worker to go on with."""
    with transaction.atomic():
        batch = _load_fenced(started)
        if batch.state == BatchState.RUNNING:
            _move(batch, BatchState.QUEUED)


def finish_batch(*, started: StartedBatch, by: str, at: datetime) -> None:
    """End a batch that is read to its end; its files are emptied and their key is destroyed."""
    with transaction.atomic():
        batch = _load_fenced(started)
        _end(batch, BatchState.DONE, by, at, "")


def fail_batch(*, started: StartedBatch, failure: str, by: str, at: datetime) -> None:
    """Note that reading a batch failed; it is tried again, and ended after three times in a row.

    `failure` is a class of error, never words of a file.
    """
    with transaction.atomic():
        batch = _load_fenced(started)
        batch.losses += 1
        batch.failure = failure
        batch.save(update_fields=["losses", "failure"])
        if batch.losses >= MOST_LOSSES:
            _end(batch, BatchState.FAILED, by, at, _lost(batch))
        elif batch.state == BatchState.RUNNING:
            _move(batch, BatchState.QUEUED)


def pause_batch(*, batch_id: UUID, by: User, at: datetime) -> None:
    """Stop a batch after the portion at hand. Raises NotAllowed, UnableToBatch if it is over."""
    _steer(batch_id, by, at, BatchState.PAUSED, "batch.pause")


def resume_batch(*, batch_id: UUID, by: User, at: datetime) -> None:
    """Let a paused or failed batch go on. Raises NotAllowed, UnableToBatch if it is done."""
    _steer(batch_id, by, at, BatchState.QUEUED, "batch.resume")


_STEERED = {
    BatchState.PAUSED: (BatchState.QUEUED, BatchState.RUNNING),
    BatchState.QUEUED: (BatchState.PAUSED, BatchState.FAILED),
}


def _steer(batch_id: UUID, by: User, at: datetime, state: BatchState, kind: str) -> None:
    with transaction.atomic():
        batch = (
            ImportBatch.objects.select_for_update(of=("self",))
            .select_related("site")
            .filter(pk=batch_id, site__in=readable_sites(by))
            .first()
        )
        if batch is None:
            raise UnableToBatch("There is no such import.")
        role = check_can_import(by, batch.site)
        if batch.state == state:
            return
        if batch.state not in _STEERED[state]:
            raise UnableToBatch(
                f"The import is {BatchState(batch.state).label} by now; look at it again."
            )
        batch.losses = 0
        batch.finished_at = None
        _move(batch, state)
        _record(batch, kind, person(by, role), at, {"lines": batch.cursor})


def _check_uploads(uploads: Sequence[Upload]) -> None:
    if not uploads:
        raise UnableToBatch("No file was chosen. Choose one or more files of calls.")
    if len(uploads) > MOST_FILES:
        raise UnableToBatch(f"Over {MOST_FILES:,} files; pack them into a ZIP archive.")
    for upload in uploads:
        if not upload.data:
            raise UnableToBatch(f"{upload.name} is empty. Choose another file.")
        if len(upload.data) > MAX_BYTES:
            raise UnableToBatch(f"{upload.name} has over {MAX_BYTES:,} bytes; split it.")


def _name(uploads: Sequence[Upload]) -> str:
    first = uploads[0].name
    return first if len(uploads) == 1 else f"{first} and {len(uploads) - 1} more"


def _load_fenced(started: StartedBatch) -> ImportBatch:
    batch = (
        ImportBatch.objects.select_for_update(of=("self",))
        .select_related("site", "received_by")
        .get(pk=started.batch_id)
    )
    if batch.attempts != started.attempt or batch.state not in _HELD:
        raise UnableToBatch("Another worker has taken this import over.")
    return batch


_HELD = (BatchState.RUNNING, BatchState.PAUSED)


def _importer(batch: ImportBatch) -> Importer:
    by = batch.received_by
    actor = worker("import_calls") if by is None else person(by, Role(batch.role))
    return Importer(batch.site, actor, by, Asked(batch.confirm_roles, batch.new_revision))


def _lines(batch: ImportBatch, taken: Sequence[Taken]) -> list[Row]:
    return [
        {
            "batch_id": batch.pk,
            "position": batch.cursor + offset,
            "word": LineWord[one.word.upper()],
            "place": one.place,
            "sentence": one.sentence,
            "call_id": one.call_id,
        }
        for offset, one in enumerate(taken)
    ]


def _move(batch: ImportBatch, state: BatchState) -> None:
    batch.state = state
    batch.lease_until = None
    batch.save(update_fields=["state", "lease_until", "losses", "finished_at"])


def _end(batch: ImportBatch, state: BatchState, by: str, at: datetime, failure: str) -> None:
    """End a batch. What is done is read: its files go, and the key that sealed them."""
    batch.state = state
    batch.lease_until = None
    batch.finished_at = at
    batch.failure = failure
    if state == BatchState.DONE:
        batch.wrapped_key = b""
        batch.files.update(sealed=b"")
    batch.save(update_fields=["state", "lease_until", "finished_at", "failure", "wrapped_key"])
    counted = batch.lines.values_list("word").annotate(Count("pk")).order_by("word")
    counts: dict[str, Value] = dict(counted)
    _record(batch, f"batch.{state.label}", worker(by), at, {"lines": counts})


def _lost(batch: ImportBatch) -> str:
    cause = f" ({batch.failure})" if batch.failure else ""
    return (
        f"Reading stopped {MOST_LOSSES} times in a row{cause} after {batch.cursor} calls; what is "
        "stored is safe. Look at the next call of the file, then resume."
    )


def _record(
    batch: ImportBatch, kind: str, by: Actor, at: datetime, facts: Mapping[str, Value]
) -> None:
    record(
        chain_id=batch.site_id,
        about=About.SITE,
        kind=kind,
        by=by,
        at=at,
        facts={"batch_id": str(batch.pk), **facts},
    )
