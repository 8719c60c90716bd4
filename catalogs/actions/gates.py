"""What stands between a version in review and its publication: each gate once, with its sentence.

`publish_version` passes all of them; the review page shows each with what to do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from catalogs.actions.overlay_gates import check_base, check_merging, check_sites
from catalogs.actions.sentences import first_of, in_sentences
from catalogs.actions.version_rows import UnableToMove, overlap
from catalogs.core.document import Document, load_document
from catalogs.core.document.trials import Trial, UnfitTrial, check_trial
from catalogs.core.findings import Severity
from catalogs.core.linter import lint, lint_against
from catalogs.models import (
    CalibrationReport,
    CatalogVersion,
    DraftText,
    RehearsalReport,
    VersionState,
    VersionTrial,
)
from catalogs.queries import document_of
from catalogs.queries.documents import dated_document
from oipsce_site.people.matrix import BY_A_SECOND_PERSON, Act
from oipsce_site.people.models import User

#: Warnings of a rehearsal that stop publishing: an edge or a requirement seen from one side only.
_GAPS = frozenset({"W703", "W704"})
_DAYS = "Days in force"


@dataclass(frozen=True, slots=True)
class Gate:
    """A gate as the page shows it: its name, and why it is shut (empty for open)."""

    name: str
    sentence: str


def check_can_publish(
    version: CatalogVersion, user: User, today: date, *, trial: Trial | None = None
) -> None:
    """Check everything publishing asks of a version in review. Raises UnableToMove.

    On `trial` it may share its days with the version that decides, and needs one.
    """
    check_second_person(version, user)
    for name, check in _gates_for(version, today):
        if trial is None or name != _DAYS:
            check(version)
    if trial is not None:
        check_can_try(version, trial)


def gates_of(version: CatalogVersion, user: User, today: date) -> tuple[Gate, ...]:
    """Return every gate of publishing as it stands for a version and a person."""

    def second(one: CatalogVersion) -> None:
        check_second_person(one, user)

    gates = (*_gates_for(version, today), ("Second person", second))
    return tuple(Gate(name, _sentence(check, version)) for name, check in gates)


def gates_of_version(version_id: UUID, user: User, today: date) -> tuple[Gate, ...]:
    """Return the gates of a version by its id, none for one that is not there."""
    version = CatalogVersion.objects.select_related("catalog").filter(pk=version_id).first()
    return () if version is None else gates_of(version, user, today)


def check_second_person(version: CatalogVersion, user: User) -> None:
    """Raise UnableToMove for whoever wrote or submitted any of the version (design 2, E602)."""
    if Act.PUBLISH_CATALOGS in BY_A_SECOND_PERSON and user.pk in authors_of(version):
        raise UnableToMove(
            "A version is approved and published by a second person; you wrote or submitted it."
        )


def authors_of(version: CatalogVersion) -> frozenset[UUID]:
    """Return the ids of all who wrote a text of the version's draft, made it or submitted it."""
    written = DraftText.objects.filter(draft__version=version).values_list("written_by", flat=True)
    named = (version.created_by_id, version.submitted_by_id)
    return frozenset(one for one in (*written, *named) if one is not None)


def check_lint(version: CatalogVersion) -> None:
    """Raise UnableToMove for a text with an error finding."""
    document, findings = load_document(bytes(version.source))
    if document is None:
        raise UnableToMove(f"The document cannot be read: {in_sentences(findings)}")
    errors = [finding for finding in lint(document) if finding.severity is Severity.ERROR]
    if errors:
        raise UnableToMove(f"The lint stops it: {in_sentences(errors)}")


def check_number(version: CatalogVersion) -> None:
    """Raise UnableToMove where the number hides a change, or a phase went without a word (E608,
    E609). What comes back as an earlier version had it needs no word about what it drops.
    """
    document, _ = load_document(bytes(version.source))
    earlier = _published(version)
    if document is None or not earlier:
        return
    findings = lint_against(document, previous=earlier[-1])
    if any(one.data["phases"] == document.data["phases"] for one in earlier):
        findings = tuple(finding for finding in findings if finding.code != "E609")
    if findings:
        raise UnableToMove(f"Beside {earlier[-1].version}: {in_sentences(findings)}")


def check_days(version: CatalogVersion) -> None:
    """Raise UnableToMove where a published version is in force on one of its days.

    An open version that began earlier is no hindrance: publishing ends it the day before. Nor is
    one on trial, which does not decide by its days.
    """
    for other in deciding_beside(version).defer("source"):
        ends = other.effective_to is None and other.effective_from < version.effective_from
        if not ends and overlap(other, version):
            raise UnableToMove(
                f"Version {other.version} is in force from {other.effective_from.isoformat()} on; "
                "two versions on one day cannot both judge a call. Change the days."
            )


def check_can_try(version: CatalogVersion, trial: Trial) -> None:
    """Raise UnableToMove where a version cannot be tried like that, or another one is."""
    others = VersionTrial.objects.filter(catalog_id=version.catalog_id, ended_at=None)
    other = others.exclude(version=version).select_related("version").first()
    if other is not None:
        raise UnableToMove(
            f"Version {other.version.version} is on trial, and one version of a catalog is at a "
            "time. Let it decide or end its trial first."
        )
    deciding = [dated_document(one) for one in deciding_beside(version).defer("source")]
    try:
        check_trial(trial, dated_document(version), deciding)
    except UnfitTrial as refusal:
        raise UnableToMove(str(refusal)) from refusal


def deciding_beside(version: CatalogVersion) -> QuerySet[CatalogVersion]:
    """Return the other published versions of the catalog that decide by their days."""
    on_trial = VersionTrial.objects.filter(version=OuterRef("pk"), ended_at=None)
    return CatalogVersion.objects.filter(
        ~Exists(on_trial), catalog_id=version.catalog_id, state=VersionState.PUBLISHED
    ).exclude(pk=version.pk)


def check_calibration(version: CatalogVersion) -> None:
    """Raise UnableToMove for a text without calibration or a waiver."""
    if not CalibrationReport.objects.filter(document_digest=version.digest).exists():
        raise UnableToMove(
            "Nothing shows that raters agree on this text: record a calibration, or a waiver with "
            "its reason."
        )


def check_rehearsal(version: CatalogVersion) -> None:
    """Ask for the latest rehearsal of exactly this text to be green (design 2)."""
    reports = RehearsalReport.objects.filter(document_digest=version.digest)
    latest = reports.order_by("-made_at", "-id").first()
    if latest is None:
        raise UnableToMove(
            "This text has not been rehearsed yet: its examples and tests must have been run. "
            "A worker does that after a version is submitted; wait for it."
        )
    if not latest.is_green:
        raise UnableToMove(
            f"The rehearsal is not green. {rehearsal_gaps(latest.result)} Mend the document or its "
            "tests and submit it as a new version."
        )


def rehearsal_gaps(result: Mapping[str, Any]) -> str:
    """Say in words what a stored rehearsal lacks: its errors, and what its tests never saw."""
    return first_of(
        f"{finding['code']} {finding['where']}: {finding['text']}"
        for finding in result["findings"]
        if finding["severity"] == Severity.ERROR.value or finding["code"] in _GAPS
    )


_Check = Callable[[CatalogVersion], None]
_GATES: tuple[tuple[str, _Check], ...] = (
    ("Lint", check_lint),
    ("Version number", check_number),
    (_DAYS, check_days),
    ("Calibration", check_calibration),
    ("Rehearsal", check_rehearsal),
)


def _gates_for(version: CatalogVersion, today: date) -> tuple[tuple[str, _Check], ...]:
    if version.overlay is None:
        return _GATES

    def merging(one: CatalogVersion) -> None:
        check_merging(one, today)

    own = (("Adds and tightens only", merging), ("Base", check_base), ("Sites", check_sites))
    return (*_GATES, *own)


def _sentence(check: Callable[[CatalogVersion], None], version: CatalogVersion) -> str:
    try:
        check(version)
    except UnableToMove as refusal:
        return str(refusal)
    return ""


def _published(version: CatalogVersion) -> list[Document]:
    """Return what was published of the catalog for days before this version's, by first day."""
    rows = CatalogVersion.objects.filter(
        catalog_id=version.catalog_id,
        state__in=(VersionState.PUBLISHED, VersionState.RETIRED),
        effective_from__lt=version.effective_from,
    ).exclude(pk=version.pk)
    digests = rows.order_by("effective_from", "version").values_list("digest", flat=True)
    return [document_of(digest) for digest in digests]
