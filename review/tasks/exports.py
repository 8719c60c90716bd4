"""Exports: claim one that waits, seal the log, build the file piece by piece, end it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import UUID

from celery import shared_task

from oipsce_site.free_memory import give_back_memory
from oipsce_site.ledger.checkpoints import UnableToSeal, seal_heads
from oipsce_site.ledger.queries import last_seal
from oipsce_site.signing.core.keys import Use
from oipsce_site.signing.store import SigningKeyError, open_store
from review.actions.audit_files import ChainBroken, call_files
from review.actions.export_orders import StartedExport, UnableToExport, begin_building
from review.actions.exports import claim_export, fail_export, finish_export, keep_pieces
from review.actions.standalone import program
from review.adapters.press import UnableToPrint, open_press
from review.core.export.bundle import build_bundle, calls_in_order
from review.core.export.order import CallFile
from review.queries.chains import sites_of_chains
from review.queries.exports import attempt_of
from review.tasks.beats import beat
from review.tasks.bells import ring_for_exports
from review.tasks.jobs import Job

logger = logging.getLogger(__name__)

WORKER = "export"
PIECE = 1024 * 1024
#: How many calls are read together: few enough that they take a few megabytes.
PORTION = 20
_OFTEN = timedelta(seconds=2)
_REFUSALS = (ChainBroken, UnableToExport, UnableToPrint, UnableToSeal, SigningKeyError)


@shared_task(name="review.export_waiting", base=Job, acks_late=True)
def export_waiting(**_: object) -> None:
    """Build the oldest export that waits, and ring again for the rest."""
    export_id = claim_export(by=WORKER, at=_now())
    if export_id is None:
        return
    attempt = attempt_of(export_id)
    try:
        _build(export_id)
    except _REFUSALS as refusal:
        # A sentence of ours, which names no word of a call: people read it on the page.
        failure = str(refusal)
    except Exception as error:
        failure = type(error).__name__
        logger.error("export %s, attempt %d: %s", export_id, attempt, failure)
    else:
        ring_for_exports()
        return
    # Outside the handlers: what is raised here must not carry the first error as its context.
    fail_export(export_id=export_id, attempt=attempt, failure=failure, by=WORKER, at=_now())
    ring_for_exports()


def _build(export_id: UUID) -> None:
    store = open_store(at=_now())
    seal_heads(place=sites_of_chains, at=_now())
    seal = last_seal()
    if seal is None:
        raise UnableToExport("Nothing was sealed yet; look at the sealer.")
    started = begin_building(
        export_id=export_id, seal=seal, store=store, verifier=program("verifier"), at=_now()
    )
    signer = store.signer(Use.EXPORT, _now())
    shelf = _Shelf(started)
    with open_press() as press:
        built = build_bundle(
            started.order, shelf.calls(), signer.private, store.root_id(), shelf.write, press
        )
    shelf.store(whole=True)
    finish_export(started=started, digest=built.digest, size=built.size, by=WORKER, at=_now())


@dataclass(slots=True)
class _Shelf:
    """Collects the bytes of the file and stores them by the piece."""

    started: StartedExport
    waiting: bytearray = field(default_factory=bytearray)
    stored: int = 0
    done: int = 0
    told_at: datetime = field(default_factory=lambda: datetime.now(UTC))

    def calls(self) -> Iterator[CallFile]:
        """Yield the calls one by one, and tell now and then how far it is."""
        last = self.started.last
        names = calls_in_order(self.started.order)
        for at in range(0, len(names), PORTION):
            # Threads that print leave holes: a thousand calls would hold 80 MB more in the end.
            give_back_memory()
            for call in call_files({UUID(one): last[one] for one in names[at : at + PORTION]}):
                yield call
                self.done += 1
                if _now() - self.told_at > _OFTEN:
                    self.store()
                    beat(_now())
        # The lists and sheets about all calls come last, and need some of it.
        give_back_memory()

    def write(self, data: bytes) -> None:
        """Take bytes of the file."""
        self.waiting += data
        if len(self.waiting) >= 2 * PIECE:
            self.store()

    def store(self, *, whole: bool = False) -> None:
        """Store what makes whole pieces; all of it at the end."""
        count = -(-len(self.waiting) // PIECE) if whole else len(self.waiting) // PIECE
        pieces = [bytes(self.waiting[at * PIECE : (at + 1) * PIECE]) for at in range(count)]
        keep_pieces(
            started=self.started,
            first=self.stored,
            pieces=pieces,
            calls_done=self.done,
            at=_now(),
        )
        self.stored += count
        del self.waiting[: count * PIECE]
        self.told_at = _now()


def _now() -> datetime:
    return datetime.now(UTC)
