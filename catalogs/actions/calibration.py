"""Recording that a document was calibrated, or why it goes without for now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from catalogs.actions.version_rows import UnableToMove
from catalogs.core.canonical import digest as canonical_digest
from catalogs.models import CalibrationKind, CalibrationReport, CatalogVersion
from catalogs.permissions import check_can_approve
from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.entry import About, commit_text
from oipsce_site.ledger.record import new_nonce, record
from oipsce_site.people.models import User
from oipsce_site.people.roles import Role


def waive_calibration(
    *, version_id: UUID, report_id: UUID, reason: str, by: User, at: datetime
) -> UUID:
    """Record in words why a version may be published without calibration.

    Raises NotAllowed for anybody but an approver, UnableToMove without a reason or a version.
    """
    role = check_can_approve(by)
    if not reason.strip():
        raise UnableToMove("A waiver needs its reason in words.")
    with transaction.atomic():
        version = CatalogVersion.objects.select_for_update().filter(pk=version_id).first()
        if version is None:
            raise UnableToMove("There is no such version.")
        nonce = new_nonce()
        CalibrationReport.objects.create(
            id=report_id,
            document_digest=version.digest,
            kind=CalibrationKind.WAIVER,
            reason=reason,
            nonce=nonce,
            made_by=by,
            made_at=at,
        )
        record(
            chain_id=version.catalog_id,
            about=About.CATALOG,
            kind="calibration.waive",
            by=person(by, role),
            at=at,
            facts={
                "version_id": str(version.id),
                "digest": version.digest,
                "report_id": str(report_id),
                "reason": commit_text(nonce, reason),
            },
        )
    return report_id


@dataclass(frozen=True, slots=True)
class Calibrated:
    """What a round of raters came to: the text that was rated, by its digest, and the figures."""

    digest: str
    round_id: UUID
    summary: str
    figures: Mapping[str, Any]


def record_calibration(
    *, version_id: UUID, report_id: UUID, calibrated: Calibrated, by: User, role: Role, at: datetime
) -> UUID:
    """Record that raters have rated calls by a text, with the figures of their agreement.

    The report stands for the text that was rated, whatever the version says by now. Who may close a
    round is review's rule; `role` is the one they acted in. Raises UnableToMove without a version.
    """
    with transaction.atomic():
        version = CatalogVersion.objects.select_for_update().filter(pk=version_id).first()
        if version is None:
            raise UnableToMove("There is no such version.")
        nonce = new_nonce()
        CalibrationReport.objects.create(
            id=report_id,
            document_digest=calibrated.digest,
            kind=CalibrationKind.REPORT,
            reason=calibrated.summary,
            nonce=nonce,
            figures=dict(calibrated.figures),
            round_id=calibrated.round_id,
            made_by=by,
            made_at=at,
        )
        record(
            chain_id=version.catalog_id,
            about=About.CATALOG,
            kind="calibration.report",
            by=person(by, role),
            at=at,
            facts={
                "version_id": str(version.id),
                "digest": calibrated.digest,
                "report_id": str(report_id),
                "round_id": str(calibrated.round_id),
                "summary": commit_text(nonce, calibrated.summary),
                "figures": canonical_digest(dict(calibrated.figures)),
            },
        )
    return report_id
