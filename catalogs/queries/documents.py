"""Loaded documents, kept by digest, and the one version that judges a call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import TypeAlias
from uuid import UUID

from catalogs.core.document import Document, Scalar, load_document
from catalogs.core.document.choosing import (
    ChoosingAttribute,
    applicable,
    choose,
    choosing_attributes,
)
from catalogs.models import CatalogVersion, VersionState

Attributes: TypeAlias = Mapping[str, Scalar | tuple[object, ...]]

# More versions in force at once than any organisation we know of has.
_KEPT_DOCUMENTS = 64


@dataclass(frozen=True, slots=True)
class VersionChoice:
    """The version that judges a call, or the sentence that says why none does; one is None."""

    version: CatalogVersion | None
    document: Document | None
    sentence: str | None


def document_of(digest: str) -> Document:
    """Return the loaded document of a stored version, kept by digest.

    Raises CatalogVersion.DoesNotExist for an unknown digest, ValueError when the stored bytes are
    not what the digest names.
    """
    return _load(digest)


def document_of_version(version_id: UUID) -> Document:
    """Return the loaded document of a stored version. Raises CatalogVersion.DoesNotExist."""
    return _load(CatalogVersion.objects.values_list("digest", flat=True).get(pk=version_id))


@dataclass(frozen=True, slots=True)
class Choosing:
    """What a person may say so that a catalog is found: the attributes that conditions read, and
    the versions that apply as it stands (their ids and names).
    """

    attributes: tuple[ChoosingAttribute, ...]
    versions: tuple[tuple[UUID, str], ...]


@dataclass(frozen=True, slots=True)
class Published:
    """The published versions at one moment, to choose from for many calls; by digest."""

    versions: Mapping[str, tuple[CatalogVersion, Document]]

    def choose(
        self,
        attributes: Attributes,
        call_date: date | None,
        preferred: UUID | None = None,
        *,
        site: str,
    ) -> VersionChoice:
        """Choose the one version that applies to a call of a site (its slug) on its date.

        Source: design 1.3, 9. None, several, or no date gives the sentence for "needs mapping"; of
        several, the `preferred` one is taken if it is among them. Lists among the attributes are
        for instances, not for conditions.
        """
        scalars = _scalars(attributes)
        documents = [document for _, document in self.versions.values()]
        if call_date is not None and preferred is not None:
            fitting = applicable(documents, scalars, call_date, site)
            mine = [one for one in fitting if self.versions[one.digest][0].pk == preferred]
            documents = mine or documents
        choice = choose(documents, scalars, call_date, site)
        if choice.document is None:
            return VersionChoice(None, None, choice.sentence)
        version, document = self.versions[choice.document.digest]
        return VersionChoice(version, document, None)

    def choosing(self, attributes: Attributes, call_date: date | None, *, site: str) -> Choosing:
        """Return what decides about the catalog of a call."""
        documents = [document for _, document in self.versions.values()]
        scalars = _scalars(attributes)
        fitting = () if call_date is None else applicable(documents, scalars, call_date, site)
        named = ((self.versions[one.digest][0].pk, one) for one in fitting)
        return Choosing(
            choosing_attributes(documents),
            tuple((version_id, f"{one.slug} {one.version}") for version_id, one in named),
        )


def _scalars(attributes: Attributes) -> dict[str, Scalar]:
    return {name: value for name, value in attributes.items() if not isinstance(value, tuple)}


def published_versions() -> Published:
    """Return the published versions; their last day is the table's, not the text's."""
    rows = CatalogVersion.objects.filter(state=VersionState.PUBLISHED)
    rows = rows.defer("source", "overlay")
    return Published(
        {
            row.digest: (row, replace(document_of(row.digest), effective_to=row.effective_to))
            for row in rows.order_by("catalog__slug", "effective_from")
        }
    )


@lru_cache(maxsize=_KEPT_DOCUMENTS)
def _load(digest: str) -> Document:
    source = CatalogVersion.objects.filter(digest=digest).values_list("source", flat=True).first()
    if source is None:
        raise CatalogVersion.DoesNotExist(f"no catalog version has the digest {digest}")
    document, _ = load_document(bytes(source))
    if document is None or document.digest != digest:
        raise ValueError(f"the stored source of catalog version {digest} is not what it names")
    return document
