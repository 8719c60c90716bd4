"""Exports of signed audits: asked for by a person, built by a worker under a lease, fetched.

The row of the export is the truth. Pieces of the file carry the attempt that made them, and only
those of the attempt that was finished are ever served; an audit that was not built to its end is
none. Building, finishing and fetching each leave their entry in the site's chain, and each call
that went in has one in its own: the accounting of disclosures. A full audit holds all that was
said: it waits for a second person (audit_security 2d), who is never the one who asked.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from django.db import connection, transaction

from oipsce_site.ledger.actors import person, worker
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import About, commit_text
from oipsce_site.ledger.record import Act, new_nonce, record, record_all
from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from oipsce_site.sealing import CallSealer, new_data_key
from review.actions.export_orders import StartedExport, UnableToExport
from review.core.audit.names import Why
from review.models import AuditExport, AuditFetch, AuditPiece, ExportState, ProfileCode
from review.permissions import (
    check_can_export,
    check_can_fetch,
    check_is_second,
    exports_seen,
)
from review.queries.exports import export_waits

LEASE = timedelta(minutes=2)
MOST_ATTEMPTS = 3
_COPY_PIECES = (
    f"COPY {AuditPiece._meta.db_table} (export_id, attempt, position, sealed) "
    "FROM STDIN (FORMAT BINARY)"
)
_PIECE_TYPES = ("uuid", "int2", "int4", "bytea")


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person asks for."""

    profile: ProfileCode
    recipient: str
    purpose: str
    first_date: date | None = None
    last_date: date | None = None
    catalog: str = ""
    verdict: str = ""


def request_export(*, export_id: UUID, site: Site, wish: Wish, by: User, at: datetime) -> None:
    """Ask for an export; a full one waits for a second person.

    Raises NotAllowed, or UnableToExport for a wish that makes no sense.
    """
    role = check_can_export(by, site)
    recipient, purpose = wish.recipient.strip(), wish.purpose.strip()
    if not recipient or not purpose:
        raise UnableToExport("Say who receives the audit and what for: the law asks for both.")
    if wish.first_date and wish.last_date and wish.first_date > wish.last_date:
        raise UnableToExport("The first day is after the last one.")
    nonce = new_nonce()
    needs_second = wish.profile is ProfileCode.FULL
    with transaction.atomic():
        AuditExport.objects.create(
            id=export_id,
            site=site,
            profile=wish.profile,
            first_date=wish.first_date,
            last_date=wish.last_date,
            catalog=wish.catalog,
            verdict=wish.verdict,
            recipient=recipient,
            purpose=purpose,
            state=ExportState.ASKED if needs_second else ExportState.QUEUED,
            secret=secrets.token_bytes(32),
            nonce=nonce,
            wrapped_key=new_data_key(),
            requested_by=by,
            role=role,
            requested_at=at,
        )
        record(
            chain_id=site.pk,
            about=About.SITE,
            kind="audit.request",
            by=person(by, role),
            at=at,
            facts={
                "export_id": str(export_id),
                "profile": wish.profile.value,
                "recipient_commitment": commit_text(nonce, recipient),
                "purpose_commitment": commit_text(nonce, purpose),
            },
        )


def approve_export(*, export_id: UUID, by: User, at: datetime) -> None:
    """Let a full export be built, as the second person. Raises NotAllowed or UnableToExport."""
    with transaction.atomic():
        export, role = _load_asked(export_id, by)
        export.state = ExportState.QUEUED
        export.approved_by, export.approved_at = by, at
        export.save(update_fields=["state", "approved_by", "approved_at"])
        _record_answer(export, "audit.approve", by, role, at)


def decline_export(*, export_id: UUID, by: User, at: datetime) -> None:
    """End a full export before it is built: by a second person, or by who asked for it.

    Raises NotAllowed or UnableToExport.
    """
    with transaction.atomic():
        export, role = _load_asked(export_id, by, own=True)
        export.state = ExportState.FAILED
        export.finished_at = at
        export.failure = f"{by.printed_name} declined it; no file was made."
        export.save(update_fields=["state", "finished_at", "failure"])
        _record_answer(export, "audit.decline", by, role, at)


def _load_asked(export_id: UUID, by: User, *, own: bool = False) -> tuple[AuditExport, Role]:
    export = (
        AuditExport.objects.select_for_update(of=("self",))
        .select_related("site")
        .filter(pk=export_id, site__in=exports_seen(by))
        .first()
    )
    if export is None:
        raise UnableToExport("There is no such audit.")
    role = check_can_export(by, export.site)
    if export.state != ExportState.ASKED:
        raise UnableToExport("This audit waits for no second person any more. Look at it again.")
    if not own:
        check_is_second(by, export.requested_by_id)
    return export, role


def _record_answer(export: AuditExport, kind: str, by: User, role: Role, at: datetime) -> None:
    record(
        chain_id=export.site_id,
        about=About.SITE,
        kind=kind,
        by=person(by, role),
        at=at,
        facts={"export_id": str(export.pk), "profile": export.profile},
    )


def claim_export(*, by: str, at: datetime) -> UUID | None:
    """Take the oldest waiting export under a lease; None when none waits.

    One that was tried three times is ended, and another one looked for.
    """
    with transaction.atomic():
        export = (
            AuditExport.objects.select_for_update(skip_locked=True, of=("self",))
            .filter(export_waits(at))
            .order_by("requested_at", "pk")
            .first()
        )
        if export is None:
            return None
        if export.attempts < MOST_ATTEMPTS:
            export.state = ExportState.RUNNING
            export.attempts += 1
            export.calls_done = 0
            export.lease_until = at + LEASE
            export.save(update_fields=["state", "attempts", "calls_done", "lease_until"])
            # Before a word is read: a building that fails has left its trace too.
            _record(export, "audit.build", by, at, {"attempt": export.attempts})
            return export.pk
        _end(export, export.failure or "its workers were lost", by, at)
    return claim_export(by=by, at=at)


def keep_pieces(
    *, started: StartedExport, first: int, pieces: list[bytes], calls_done: int, at: datetime
) -> None:
    """Store pieces of the file and how far it is. Raises UnableToExport when it was taken over."""
    with transaction.atomic():
        export = _load_fenced(started)
        _copy_pieces(export, started.attempt, first, pieces)
        export.calls_done = calls_done
        export.lease_until = at + LEASE
        export.save(update_fields=["calls_done", "lease_until"])


def _copy_pieces(export: AuditExport, attempt: int, first: int, pieces: Iterable[bytes]) -> None:
    """Seal and store pieces as they are: as values of an INSERT each would be written out twice."""
    sealer = CallSealer(export.site_id, export.pk, export.wrapped_key)
    with connection.cursor() as cursor, cursor.copy(_COPY_PIECES) as copy:
        copy.set_types(_PIECE_TYPES)
        for position, piece in enumerate(pieces, start=first):
            sealed = sealer.seal_bytes(f"piece:{position}", piece)
            copy.write_row((export.pk, attempt, position, sealed))


def finish_export(*, started: StartedExport, digest: str, size: int, by: str, at: datetime) -> None:
    """End an export whose file is whole; each of its calls was disclosed from now on."""
    with transaction.atomic():
        export = _load_fenced(started)
        export.state = ExportState.DONE
        export.lease_until = None
        export.finished_at = at
        export.digest, export.bytes = digest, size
        export.failure = ""
        export.save(
            update_fields=["state", "lease_until", "finished_at", "digest", "bytes", "failure"]
        )
        facts: dict[str, Value] = {
            "export_id": str(export.pk),
            "profile": export.profile,
            "digest": digest,
        }
        actor = worker(by)
        done = Act(
            export.site_id, About.SITE, "audit.export", actor, {**facts, "calls": export.calls}
        )
        included = [call for call, why in export.universe.items() if why == Why.INCLUDED.value]
        disclosed = [
            Act(UUID(call), About.CALL, "call.disclose", actor, facts) for call in sorted(included)
        ]
        record_all([done, *disclosed], at=at)


def fail_export(*, export_id: UUID, attempt: int, failure: str, by: str, at: datetime) -> None:
    """Note that building failed; it is tried again, and ended after three times.

    `failure` is a class of error or a sentence of ours, never words of a call.
    """
    with transaction.atomic():
        export = AuditExport.objects.select_for_update().get(pk=export_id)
        if export.attempts != attempt or export.state != ExportState.RUNNING:
            return
        if attempt >= MOST_ATTEMPTS:
            _end(export, failure, by, at)
            return
        export.state = ExportState.QUEUED
        export.lease_until = None
        export.failure = failure
        export.save(update_fields=["state", "lease_until", "failure"])


def fetch_export(*, export_id: UUID, by: User, at: datetime) -> Iterator[bytes]:
    """Return the pieces of a finished file, after its entry in the log is written.

    Raises UnableToExport where there is no such file for this person.
    """
    with transaction.atomic(durable=True):
        export = (
            AuditExport.objects.select_related("site")
            .filter(pk=export_id, site__in=exports_seen(by), state=ExportState.DONE)
            .first()
        )
        if export is None or not export.wrapped_key:
            raise UnableToExport("There is no such file.")
        AuditFetch.objects.create(export=export, by=by, at=at)
        record(
            chain_id=export.site_id,
            about=About.SITE,
            kind="audit.fetch",
            by=person(by, check_can_fetch(by, export.site)),
            at=at,
            facts={"export_id": str(export.pk), "digest": export.digest},
        )
    return _pieces(export)


def _pieces(export: AuditExport) -> Iterator[bytes]:
    sealer = CallSealer(export.site_id, export.pk, export.wrapped_key)
    found = export.pieces.filter(attempt=export.attempts).order_by("position")
    for piece in found.iterator(chunk_size=1):
        yield sealer.open_bytes(f"piece:{piece.position}", piece.sealed)


def _load_fenced(started: StartedExport) -> AuditExport:
    export = AuditExport.objects.select_for_update().get(pk=started.export_id)
    if export.attempts != started.attempt or export.state != ExportState.RUNNING:
        raise UnableToExport("Another worker has taken this export over.")
    return export


def _end(export: AuditExport, failure: str, by: str, at: datetime) -> None:
    export.state = ExportState.FAILED
    export.lease_until = None
    export.finished_at = at
    export.failure = failure
    export.pieces.all().delete()
    export.save(update_fields=["state", "lease_until", "finished_at", "failure"])
    _record(export, "audit.fail", by, at, {"attempt": export.attempts})


def _record(export: AuditExport, kind: str, by: str, at: datetime, facts: dict[str, Value]) -> None:
    record(
        chain_id=export.site_id,
        about=About.SITE,
        kind=kind,
        by=worker(by),
        at=at,
        facts={"export_id": str(export.pk), **facts},
    )
