"""What `load_demo` sets up: a site, one person per role with a password file, the catalogs."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID, uuid4

from catalogs.actions.calibration import waive_calibration
from catalogs.actions.versions import create_draft, publish_version, submit_version
from catalogs.core.document import load_document
from catalogs.models import CalibrationReport, CatalogVersion, VersionState
from catalogs.shipped import SHIPPED_CATALOGS
from oipsce_site.administration.actions.founding import Appointment, appoint_person
from oipsce_site.administration.actions.sites import open_site
from oipsce_site.people.models import Site, User
from oipsce_site.people.roles import Role
from review.tasks import rehearse_version

SITE_SLUG = "north"
SITE_NAME = "North clinic"
WAIVER = (
    "Demonstration content: no raters have read calls by it yet. Not for use before a lawyer "
    "has signed it and a calibration round stands."
)


@dataclass(frozen=True, slots=True)
class DemoPerson:
    """A person of the demo and the role they hold."""

    username: str
    printed_name: str
    role: Role


PEOPLE = (
    DemoPerson("reviewer", "Rea Reviewer", Role.REVIEWER),
    DemoPerson("senior", "Sena Senior", Role.SENIOR_REVIEWER),
    DemoPerson("compliance", "Cora Compliance", Role.COMPLIANCE_OFFICER),
    DemoPerson("author", "Ada Author", Role.CATALOG_AUTHOR),
    DemoPerson("approver", "Apolo Approver", Role.CATALOG_APPROVER),
    DemoPerson("auditor", "Aud Auditor", Role.AUDITOR),
    DemoPerson("administrator", "Adi Administrator", Role.ADMINISTRATOR),
    # Roles are asked for by one administrator and granted by a second one.
    DemoPerson("administrator2", "Zoe Second", Role.ADMINISTRATOR),
)


def set_up_site() -> Site:
    """Return the demo's site, made if it is missing."""
    found = Site.objects.filter(slug=SITE_SLUG).first()
    if found is not None:
        return found
    return open_site(site_id=uuid4(), slug=SITE_SLUG, name=SITE_NAME, by="load_demo", at=_now())


def set_up_people(site: Site, credentials: Path) -> list[tuple[DemoPerson, str | None]]:
    """Make who is missing; return each person with their password if they were made now.

    The file is written before anybody is made, so that no password is ever lost with a crash.
    """
    known = _read_passwords(credentials)
    taken = set(User.objects.values_list("username", flat=True))
    missing = [one for one in PEOPLE if one.username not in taken]
    for one in missing:
        known.setdefault(one.username, secrets.token_urlsafe(12))
    if missing:
        _write_passwords(credentials, known)
    for one in missing:
        appoint_person(
            appointment=Appointment(one.username, one.printed_name, one.role, site),
            password=known[one.username],
            by="load_demo",
            at=_now(),
        )
    return [(one, known[one.username] if one in missing else None) for one in PEOPLE]


def publish_shipped() -> Iterator[str]:
    """Publish the shipped catalogs by two people, with a recorded waiver; yield a line for each."""
    author = User.objects.get(username="author")
    approver = User.objects.get(username="approver")
    for path in SHIPPED_CATALOGS:
        source = path.read_bytes()
        document, _ = load_document(source)
        if document is None:
            yield f"{path.name} cannot be read and was passed over"
            continue
        name = f"{document.slug} {document.version}"
        found = CatalogVersion.objects.filter(
            catalog__slug=document.slug, version=document.version
        ).first()
        if found is None:
            version_id = create_draft(
                source=source, catalog_id=uuid4(), version_id=uuid4(), by=author, at=_now()
            )
        elif found.digest != document.digest:
            yield f"{name} was published with other content; {path.name} was passed over"
            continue
        else:
            version_id = found.id
        yield f"{name}: {_carry_on(version_id, author, approver)}"


def _carry_on(version_id: UUID, author: User, approver: User) -> str:
    """Take a version from where it stands to published; a run that was cut short goes on here."""
    version = CatalogVersion.objects.get(pk=version_id)
    if version.state in (VersionState.PUBLISHED, VersionState.RETIRED):
        return VersionState(version.state).label
    if version.state == VersionState.DRAFT:
        submit_version(version_id=version_id, by=author, at=_now())
    if not CalibrationReport.objects.filter(document_digest=version.digest).exists():
        waive_calibration(
            version_id=version_id, report_id=uuid4(), reason=WAIVER, by=approver, at=_now()
        )
    # The worker's task, run here: publishing waits for what it stores.
    rehearse_version(version_id=str(version_id))
    publish_version(version_id=version_id, by=approver, at=_now())
    return "rehearsed and published now, calibration waived"


def _read_passwords(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    return {str(name): str(word) for name, word in json.loads(path.read_text("utf-8")).items()}


def _write_passwords(path: Path, passwords: dict[str, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(passwords, file, indent=1)
        file.write("\n")
    beside.replace(path)


def _now() -> datetime:
    return datetime.now(UTC)
