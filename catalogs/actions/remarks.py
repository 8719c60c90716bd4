"""What people say of a version while it is in review, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from catalogs.actions.gates import check_second_person
from catalogs.actions.version_rows import (
    UnableToMove,
    check_state,
    load_for_update,
    record_step,
    store_fields,
)
from catalogs.core.document import load_document
from catalogs.models import CatalogVersion, RemarkKind, VersionRemark, VersionState
from catalogs.permissions import check_can_approve, check_can_author, check_can_remark
from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.ledger.core.entry import commit_text
from oipsce_site.ledger.record import new_nonce
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role


@dataclass(frozen=True, slots=True)
class Said:
    """A remark in words, on one phase by its id or on the whole (empty)."""

    words: str
    phase: str = ""


def comment_on_version(
    *, version_id: UUID, remark_id: UUID, said: Said, by: User, at: datetime
) -> None:
    """Keep a comment for the author. Raises NotAllowed, or UnableToMove for no words or a phase
    that the version has not.
    """
    role = check_can_remark(by)
    with transaction.atomic():
        version = load_for_update(version_id)
        _keep(version, remark_id, RemarkKind.COMMENT, said, (by, role, at))


def ask_for_changes(
    *, version_id: UUID, remark_id: UUID, said: Said, by: User, at: datetime
) -> None:
    """Send a version back to its author with what is to be changed; it is a draft again.

    Raises NotAllowed for anybody but an approver, UnableToMove for one that is not in review.
    """
    role = check_can_approve(by)
    with transaction.atomic():
        version = load_for_update(version_id)
        check_state(version, VersionState.IN_REVIEW, "sent back")
        _keep(version, remark_id, RemarkKind.CHANGES, said, (by, role, at))
        _back_to_draft(version)


def approve_version(
    *, version_id: UUID, remark_id: UUID, expected_digest: str, by: User, at: datetime
) -> None:
    """Record that a second person has read exactly this text and would publish it.

    Raises NotAllowed, or UnableToMove for an author of it and for another text than was read.
    """
    role = check_can_approve(by)
    with transaction.atomic():
        version = load_for_update(version_id)
        check_state(version, VersionState.IN_REVIEW, "approved")
        check_second_person(version, by)
        if version.digest != expected_digest:
            raise UnableToMove("The text has changed since you opened the page; read it again.")
        _keep(version, remark_id, RemarkKind.APPROVAL, Said(""), (by, role, at))


def take_back_version(*, version_id: UUID, by: User, at: datetime) -> None:
    """Take a version out of review to write on. Raises NotAllowed or UnableToMove."""
    role = check_can_author(by)
    with transaction.atomic():
        version = load_for_update(version_id)
        check_state(version, VersionState.IN_REVIEW, "taken back")
        _back_to_draft(version)
        record_step(version, "version.take_back", person(by, role), at, {"digest": version.digest})


def _back_to_draft(version: CatalogVersion) -> None:
    version.state = VersionState.DRAFT
    version.submitted_by = None
    version.submitted_at = None
    store_fields(version, "state", "submitted_by", "submitted_at")


_KINDS = {
    RemarkKind.COMMENT: "version.comment",
    RemarkKind.CHANGES: "version.ask_changes",
    RemarkKind.APPROVAL: "version.approve",
}


def _keep(
    version: CatalogVersion,
    remark_id: UUID,
    kind: RemarkKind,
    said: Said,
    who: tuple[User, Role, datetime],
) -> None:
    by, role, at = who
    _check_said(version, kind, said)
    nonce = new_nonce()
    VersionRemark.objects.create(
        id=remark_id,
        version=version,
        document_digest=version.digest,
        kind=kind,
        phase=said.phase,
        words=said.words,
        nonce=nonce,
        made_by=by,
        made_at=at,
    )
    facts: dict[str, Value] = {
        "digest": version.digest,
        "remark_id": str(remark_id),
        "words": commit_text(nonce, said.words),
    }
    if said.phase:
        facts["phase"] = said.phase
    record_step(version, _KINDS[kind], person(by, role), at, facts)


def _check_said(version: CatalogVersion, kind: RemarkKind, said: Said) -> None:
    if kind is not RemarkKind.APPROVAL and not said.words.strip():
        raise UnableToMove("Say in words what you mean; the author reads nothing else.")
    if not said.phase:
        return
    document, _ = load_document(bytes(version.source))
    phases = () if document is None else tuple(phase.id for phase in document.phases)
    if said.phase not in phases:
        raise UnableToMove("The version has no such phase; choose one of its own, or the whole.")
