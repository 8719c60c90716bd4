"""Loaded documents, kept by digest, and the one version that judges a call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

from django.db.models import F, FilteredRelation, Q, QuerySet

from catalogs.core.document import Document, Scalar, load_document
from catalogs.core.document.choosing import (
    ChoosingAttribute,
    applicable,
    choose,
    choosing_attributes,
)
from catalogs.core.document.trials import Draw, Trial, TrialMode, try_out
from catalogs.models import CatalogVersion, VersionState, VersionTrial

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
    """The published versions at one moment, to choose from for many calls; by digest.

    `versions` decide by their days. Those on trial are `tried`, by the slug of their catalog.
    """

    versions: Mapping[str, tuple[CatalogVersion, Document]]
    tried: Mapping[str, tuple[CatalogVersion, Document, Trial]] = field(default_factory=dict)

    def choose(
        self,
        attributes: Attributes,
        call_date: date | None,
        preferred: UUID | None = None,
        *,
        site: str,
        draw: Draw | None = None,
    ) -> VersionChoice:
        """Choose the one version that applies to a call of a site (its slug) on its date.

        Source: design 1.3, 9. None, several, or no date gives the sentence for "needs mapping"; of
        several, the `preferred` one is taken if it is among them. Lists among the attributes are
        for instances, not for conditions. A version on trial for a share of calls is chosen for
        those that the `draw` takes (`catalogs.core.document.trials`).
        """
        scalars = _scalars(attributes)
        documents = [document for _, document in self.versions.values()]
        if call_date is not None and preferred is not None:
            fitting = applicable(documents, scalars, call_date, site)
            documents = [one for one in fitting if self._is(one, preferred)] or documents
        choice = choose(documents, scalars, call_date, site)
        if choice.document is None or call_date is None:
            return VersionChoice(None, None, choice.sentence)
        trials = {slug: (document, trial) for slug, (_, document, trial) in self.tried.items()}
        judges = try_out(choice.document, trials, scalars, call_date, draw, site).judges
        if judges.digest in self.versions:
            version, document = self.versions[judges.digest]
        else:
            version, document, _ = self.tried[judges.slug]
        return VersionChoice(version, document, None)

    def _is(self, document: Document, preferred: UUID) -> bool:
        """Say whether a document is of the preferred version, or decides beside it on trial."""
        on_trial = self.tried.get(document.slug)
        named = (self.versions[document.digest][0].pk, on_trial[0].pk if on_trial else None)
        return preferred in named

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
    """Return the published versions, in one query; their days are the table's, not the text's."""
    deciding: dict[str, tuple[CatalogVersion, Document]] = {}
    tried: dict[str, tuple[CatalogVersion, Document, Trial]] = {}
    rows = with_open_trial(CatalogVersion.objects.filter(state=VersionState.PUBLISHED))
    for row in rows.defer("source", "overlay").order_by("catalog__slug", "effective_from"):
        document = dated_document(row)
        if (trial := trial_of(row)) is None:
            deciding[row.digest] = (row, document)
        else:
            tried[document.slug] = (row, document, trial)
    return Published(deciding, tried)


class Shadow(NamedTuple):
    """A version in shadow: its trial, and the document with the days of its row."""

    trial_id: UUID
    document: Document
    trial: Trial


def shadows_now() -> dict[str, Shadow]:
    """Return the versions that are in shadow, by the slug of their catalog, in one query."""
    found = VersionTrial.objects.filter(mode=TrialMode.SHADOW.value, ended_at=None)
    shadows = {}
    for one in found.select_related("version").defer("version__source", "version__overlay"):
        document = dated_document(one.version)
        shadows[document.slug] = Shadow(one.pk, document, Trial(TrialMode.SHADOW, 0, one.first_day))
    return shadows


def dated_document(row: CatalogVersion) -> Document:
    """Return the loaded document of a stored version with the days of its row."""
    days = (row.effective_from, row.effective_to)
    return replace(document_of(row.digest), effective_from=days[0], effective_to=days[1])


def with_open_trial(versions: QuerySet[CatalogVersion]) -> QuerySet[CatalogVersion, Any]:
    """Return versions with the open trial of each beside it, for `trial_of`; no further query."""
    return versions.annotate(
        open_trial=FilteredRelation("trials", condition=Q(trials__ended_at__isnull=True)),
        trial_mode=F("open_trial__mode"),
        trial_share=F("open_trial__share"),
        trial_first_day=F("open_trial__first_day"),
    )


def trial_of(row: Any) -> Trial | None:
    """Return the open trial of a version that came by `with_open_trial`."""
    if row.trial_mode is None:
        return None
    return Trial(TrialMode(row.trial_mode), row.trial_share, row.trial_first_day)


@lru_cache(maxsize=_KEPT_DOCUMENTS)
def _load(digest: str) -> Document:
    source = CatalogVersion.objects.filter(digest=digest).values_list("source", flat=True).first()
    if source is None:
        raise CatalogVersion.DoesNotExist(f"no catalog version has the digest {digest}")
    document, _ = load_document(bytes(source))
    if document is None or document.digest != digest:
        raise ValueError(f"the stored source of catalog version {digest} is not what it names")
    return document
