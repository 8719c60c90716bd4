"""What `load_demo` sets up: a site, one person per role with a password file, the catalogs."""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from catalogs.actions.calibration import waive_calibration
from catalogs.actions.versions import create_draft, publish_version, submit_version
from catalogs.core.document import load_document
from catalogs.models import CalibrationReport, CatalogVersion, RehearsalReport, VersionState
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


LOOK_AGAIN_SECONDS = 0.2


class WorkerSilent(Exception):
    """The worker does not do what it was rung for; the text says how far it came."""


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
    DemoPerson("compliance2", "Otto Officer", Role.COMPLIANCE_OFFICER),
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


def publish_shipped(patience: float) -> Iterator[str]:
    """Publish the shipped catalogs by two people, with a recorded waiver; yield a line for each.

    The worker rehearses them, as many at once as it has processes. Raises WorkerSilent when it
    does not within `patience` seconds.
    """
    author = User.objects.get(username="author")
    approver = User.objects.get(username="approver")
    prepared = []
    for path in SHIPPED_CATALOGS:
        one = _prepare(path, author, approver)
        if one.version is not None:
            # At once: the worker rehearses this one while the next is read.
            rehearse_version.delay_on_commit(version_id=str(one.version.id))
        prepared.append(one)
    waiting = {one.version.digest for one in prepared if one.version is not None}
    deadline = time.monotonic() + patience
    for one in prepared:
        if one.version is not None:
            _wait_for_rehearsal(one.version.digest, deadline, waiting)
            publish_version(version_id=one.version.id, by=approver, at=_now())
        yield one.sentence


@dataclass(frozen=True, slots=True)
class _Prepared:
    """What to say of a shipped catalog, and its version where that waits for a rehearsal."""

    sentence: str
    version: CatalogVersion | None = None


def _prepare(path: Path, author: User, approver: User) -> _Prepared:
    source = path.read_bytes()
    document, _ = load_document(source)
    if document is None:
        return _Prepared(f"{path.name} cannot be read and was passed over")
    name = f"{document.slug} {document.version}"
    found = CatalogVersion.objects.filter(
        catalog__slug=document.slug, version=document.version
    ).first()
    if found is None:
        version_id = create_draft(
            source=source, catalog_id=uuid4(), version_id=uuid4(), by=author, at=_now()
        )
        return _carry_on(CatalogVersion.objects.get(pk=version_id), name, author, approver)
    if found.digest != document.digest:
        return _Prepared(f"{name} was published with other content; {path.name} was passed over")
    return _carry_on(found, name, author, approver)


def _carry_on(version: CatalogVersion, name: str, author: User, approver: User) -> _Prepared:
    """Take a version from where it stands to its rehearsal; a run cut short goes on here."""
    if version.state in (VersionState.PUBLISHED, VersionState.RETIRED):
        return _Prepared(f"{name}: {VersionState(version.state).label}")
    if version.state == VersionState.DRAFT:
        submit_version(version_id=version.id, by=author, at=_now())
    if not CalibrationReport.objects.filter(document_digest=version.digest).exists():
        waive_calibration(
            version_id=version.id, report_id=uuid4(), reason=WAIVER, by=approver, at=_now()
        )
    sentence = f"{name}: rehearsed and published now, calibration waived"
    return _Prepared(sentence, version)


def _wait_for_rehearsal(digest: str, deadline: float, all_digests: set[str]) -> None:
    reports = RehearsalReport.objects.filter(document_digest__in=all_digests)
    while not reports.filter(document_digest=digest).exists():
        if time.monotonic() > deadline:
            done = reports.values("document_digest").distinct().count()
            raise WorkerSilent(f"{done} of {len(all_digests)} catalogs are rehearsed")
        time.sleep(LOOK_AGAIN_SECONDS)


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
