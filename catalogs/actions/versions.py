"""The life of a version: drafted, submitted, published by a second person, retired."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from django.db import transaction
from django.utils.timezone import localdate

from catalogs.actions.gates import check_can_publish
from catalogs.actions.sentences import in_sentences
from catalogs.actions.trial_rows import begin_trial, end_predecessor, record_begin
from catalogs.actions.version_rows import (
    UnableToMove,
    check_state,
    load_for_update,
    lock_base,
    record_step,
    store_fields,
)
from catalogs.core.document import Document
from catalogs.core.document.origin import origin_of
from catalogs.core.document.trials import Trial
from catalogs.core.overlay import written
from catalogs.models import Catalog, CatalogVersion, VersionState
from catalogs.permissions import check_can_approve, check_can_author
from catalogs.queries import document_of
from catalogs.queries.overlays import load_text
from catalogs.queries.what_ifs import figures_of_what_ifs
from oipsce_site.ledger.actors import person
from oipsce_site.ledger.core.canonical import Value
from oipsce_site.people.models import User


class UnableToDraft(Exception):
    """The document cannot be kept as a draft; the sentence says why."""


def create_draft(
    *, source: bytes, catalog_id: UUID, version_id: UUID, by: User, at: datetime
) -> UUID:
    """Keep a document as a new draft and return the version's id.

    `catalog_id` is the id that the catalog gets if its slug is new. Raises NotAllowed, or
    UnableToDraft for a document that has no meaning and for a version that exists already.
    """
    role = check_can_author(by)
    text = readable(source, localdate(at))
    document = text.document
    with transaction.atomic():
        catalog = _catalog_for_update(document, catalog_id)
        if catalog.versions.filter(version=document.version).exists():
            raise UnableToDraft(_taken(document))
        stored = CatalogVersion.objects.create(
            id=version_id,
            catalog=catalog,
            version=document.version,
            state=VersionState.DRAFT,
            source=text.source,
            digest=document.digest,
            overlay=text.overlay,
            base_id=text.base_id,
            effective_from=document.effective_from,
            effective_to=document.effective_to,
            created_by=by,
            created_at=at,
        )
        record_step(stored, "version.draft", person(by, role), at, _named(text))
    return version_id


def revise_version(*, version_id: UUID, source: bytes, by: User, at: datetime) -> None:
    """Give a version that came back to its author another text.

    Its catalog stays. Raises NotAllowed, UnableToMove for one that is no draft, UnableToDraft for a
    text that has no meaning, of another catalog, or with the number of another version.
    """
    role = check_can_author(by)
    text = readable(source, localdate(at))
    document = text.document
    with transaction.atomic():
        version = load_for_update(version_id)
        check_state(version, VersionState.DRAFT, "changed")
        if version.catalog.slug != document.slug:
            raise UnableToDraft(
                f"The draft was handed in as {version.catalog.slug}, and this text is of "
                f"{document.slug}; start another draft for another catalog."
            )
        same = version.catalog.versions.exclude(pk=version_id).filter(version=document.version)
        if same.exists():
            raise UnableToDraft(_taken(document))
        version.source, version.digest = text.source, document.digest
        version.overlay, version.base_id = text.overlay, text.base_id
        version.version = document.version
        version.effective_from = document.effective_from
        version.effective_to = document.effective_to
        days = ("effective_from", "effective_to")
        store_fields(version, "source", "digest", "version", "overlay", "base", *days)
        record_step(version, "version.revise", person(by, role), at, _named(text))


def submit_version(*, version_id: UUID, by: User, at: datetime) -> None:
    """Hand a draft to the approvers. Raises NotAllowed, or UnableToMove unless it is a draft."""
    role = check_can_author(by)
    with transaction.atomic():
        version = load_for_update(version_id)
        check_state(version, VersionState.DRAFT, "submitted")
        version.state = VersionState.IN_REVIEW
        version.submitted_by = by
        version.submitted_at = at
        store_fields(version, "state", "submitted_by", "submitted_at")
        facts = {"digest": version.digest}
        record_step(version, "version.submit", person(by, role), at, facts)


def publish_version(
    *,
    version_id: UUID,
    by: User,
    at: datetime,
    expected_digest: str | None = None,
    trial: Trial | None = None,
) -> None:
    """Put a version in force from its first day on; an open predecessor ends the day before.

    On `trial` it does not decide yet, and no predecessor ends (`catalogs.actions.trials`).
    `expected_digest` is of the text that the person has read. Raises NotAllowed, or UnableToMove:
    for an author of the version, for a lint error (with its sentence), without calibration or a
    waiver and a green rehearsal of exactly this text, when the days overlap, for another text.
    """
    role = check_can_approve(by)
    with transaction.atomic():
        version = load_for_update(version_id)
        check_state(version, VersionState.IN_REVIEW, "published")
        if expected_digest is not None and version.digest != expected_digest:
            raise UnableToMove("The text has changed since you opened the page; read it again.")
        lock_base(version)
        check_can_publish(version, by, localdate(at), trial=trial)
        ended = end_predecessor(version) if trial is None else None
        if trial is not None:
            begin_trial(version, trial, by, at)
        version.state = VersionState.PUBLISHED
        version.published_by = by
        version.published_at = at
        store_fields(version, "state", "published_by", "published_at")
        facts: dict[str, Value] = {
            "digest": version.digest,
            "effective_from": version.effective_from.isoformat(),
            "superseded": [str(ended)] if ended else [],
            "what_ifs": figures_of_what_ifs(version.digest),
            "trial": None if trial is None else trial.mode.value,
            **overlay_facts(version),
        }
        record_step(version, "version.publish", person(by, role), at, facts)
        if trial is not None:
            record_begin(version, trial, person(by, role), at)


def retire_version(*, version_id: UUID, last_day: date, by: User, at: datetime) -> None:
    """Take a published version out of use: it judges no further call.

    A version without a last day gets `last_day`. Raises NotAllowed or UnableToMove.
    """
    role = check_can_approve(by)
    with transaction.atomic():
        version = load_for_update(version_id)
        check_state(version, VersionState.PUBLISHED, "retired")
        if version.trials.filter(ended_at=None).exists():
            raise UnableToMove("The version is on trial; end the trial, and it is retired.")
        if last_day < version.effective_from:
            raise UnableToMove(
                f"The version is in force from {version.effective_from.isoformat()}; "
                "its last day cannot lie before."
            )
        version.state = VersionState.RETIRED
        version.effective_to = version.effective_to or last_day
        version.retired_by = by
        version.retired_at = at
        store_fields(version, "state", "effective_to", "retired_by", "retired_at")
        facts = {"digest": version.digest, "effective_to": version.effective_to.isoformat()}
        record_step(version, "version.retire", person(by, role), at, facts)


def overlay_facts(version: CatalogVersion) -> dict[str, Value]:
    """Return what the log says of a version that was merged from an overlay: its base, its sites
    and the overlay's digest. Nothing for any other.
    """
    origin = origin_of(document_of(version.digest)) if version.base_id else None
    if origin is None:
        return {}
    return {
        "base_digest": origin.base_digest,
        "overlay_digest": origin.overlay_digest,
        "sites": list(origin.sites),
    }


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text as a version keeps it: the document and its bytes; of an overlay those of the merger,
    the overlay's own and its base.
    """

    document: Document
    source: bytes
    overlay: bytes | None = None
    base_id: UUID | None = None


def readable(source: bytes, today: date) -> ReadText:
    """Return a text with its document. Raises UnableToDraft with what is wrong with it."""
    loaded, base_id = load_text(source, today)
    if loaded.document is None:
        raise UnableToDraft(f"The document cannot be read: {in_sentences(loaded.findings)}")
    if loaded.overlay is not None:
        try:
            merged = written(loaded.document)
        except ValueError as unwritable:
            raise UnableToDraft(f"{unwritable}. Correct it in the base or the overlay.") from None
        return ReadText(loaded.document, merged, source, base_id)
    if "overlay" in loaded.document.data:
        raise UnableToDraft(
            "The key overlay is the product's: it says from what a catalog was merged. Hand in the "
            "overlay itself, or take the key out."
        )
    return ReadText(loaded.document, source)


def _named(text: ReadText) -> dict[str, Value]:
    facts: dict[str, Value] = {"version": text.document.version, "digest": text.document.digest}
    return facts if text.base_id is None else {**facts, "base_id": str(text.base_id)}


def _taken(document: Document) -> str:
    return (
        f"{document.slug} {document.version} exists already; give the new text a new version "
        "number."
    )


def _catalog_for_update(document: Document, catalog_id: UUID) -> Catalog:
    # Insert first: of two authors of a new slug at once, the second waits and finds the first's.
    Catalog.objects.bulk_create(
        [Catalog(id=catalog_id, slug=document.slug, title=document.title)], ignore_conflicts=True
    )
    return Catalog.objects.select_for_update().get(slug=document.slug)
