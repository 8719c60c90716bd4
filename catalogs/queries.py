"""Read functions of catalogs: loaded documents, and the one version that judges a call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from uuid import UUID

from catalogs.core.document import Document, Scalar, load_document
from catalogs.core.document.choosing import (
    ChoosingAttribute,
    applicable,
    choose,
    choosing_attributes,
)
from catalogs.models import CatalogVersion, VersionState

# More versions in force at once than any organisation we know of has.
_KEPT_DOCUMENTS = 64


@dataclass(frozen=True, slots=True)
class VersionChoice:
    """The version that judges a call, or the sentence that says why none does; one is None."""

    version_id: UUID | None
    document: Document | None
    sentence: str | None


@dataclass(frozen=True, slots=True)
class VersionLine:
    """One version as lists show it."""

    id: UUID
    slug: str
    title: str
    version: str
    state: str
    digest: str
    effective_from: date
    effective_to: date | None


def document_of(digest: str) -> Document:
    """Return the loaded document of a stored version, kept by digest.

    Raises CatalogVersion.DoesNotExist for an unknown digest, ValueError when the stored bytes are
    not what the digest names.
    """
    return _load(digest)


def document_of_version(version_id: UUID) -> Document:
    """Return the loaded document of a stored version. Raises CatalogVersion.DoesNotExist."""
    return _load(CatalogVersion.objects.values_list("digest", flat=True).get(pk=version_id))


def version_for_call(
    attributes: Mapping[str, Scalar | tuple[object, ...]],
    call_date: date | None,
    preferred: UUID | None = None,
) -> VersionChoice:
    """Choose the one published version that applies to a call and was in force on its date.

    Source: design 1.3, 9. None, several, or no date gives the sentence for "needs mapping"; of
    several, the `preferred` one is taken if it is among them. Lists among the attributes are for
    instances, not for conditions.
    """
    scalars = _scalars(attributes)
    published = _published()
    documents = [document for _, document in published.values()]
    if call_date is not None:
        fitting = applicable(documents, scalars, call_date)
        documents = [one for one in fitting if published[one.digest][0] == preferred] or documents
    choice = choose(documents, scalars, call_date)
    if choice.document is None:
        return VersionChoice(None, None, choice.sentence)
    return VersionChoice(published[choice.document.digest][0], choice.document, None)


@dataclass(frozen=True, slots=True)
class Choosing:
    """What a person may say so that a catalog is found: the attributes that conditions read, and
    the versions that apply as it stands (their ids and names).
    """

    attributes: tuple[ChoosingAttribute, ...]
    versions: tuple[tuple[UUID, str], ...]


def choosing_for_call(
    attributes: Mapping[str, Scalar | tuple[object, ...]], call_date: date | None
) -> Choosing:
    """Return what decides about the catalog of a call, in one query."""
    published = _published()
    documents = [document for _, document in published.values()]
    fitting = () if call_date is None else applicable(documents, _scalars(attributes), call_date)
    return Choosing(
        choosing_attributes(documents),
        tuple((published[one.digest][0], f"{one.slug} {one.version}") for one in fitting),
    )


def _scalars(attributes: Mapping[str, Scalar | tuple[object, ...]]) -> dict[str, Scalar]:
    return {name: value for name, value in attributes.items() if not isinstance(value, tuple)}


def list_versions() -> list[VersionLine]:
    """Return every version of every catalog, by slug and window, in one query."""
    rows = CatalogVersion.objects.select_related("catalog").defer("source")
    return [
        VersionLine(
            row.id,
            row.catalog.slug,
            row.catalog.title,
            row.version,
            row.state,
            row.digest,
            row.effective_from,
            row.effective_to,
        )
        for row in rows.order_by("catalog__slug", "effective_from", "version")
    ]


def _published() -> dict[str, tuple[UUID, Document]]:
    """Return the published versions by digest; their last day is the table's, not the text's."""
    rows = CatalogVersion.objects.filter(state=VersionState.PUBLISHED).order_by(
        "catalog__slug", "effective_from"
    )
    return {
        digest: (version_id, replace(document_of(digest), effective_to=last_day))
        for version_id, digest, last_day in rows.values_list("id", "digest", "effective_to")
    }


@lru_cache(maxsize=_KEPT_DOCUMENTS)
def _load(digest: str) -> Document:
    source = CatalogVersion.objects.filter(digest=digest).values_list("source", flat=True).first()
    if source is None:
        raise CatalogVersion.DoesNotExist(f"no catalog version has the digest {digest}")
    document, _ = load_document(bytes(source))
    if document is None or document.digest != digest:
        raise ValueError(f"the stored source of catalog version {digest} is not what it names")
    return document
