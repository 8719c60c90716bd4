"""Read functions of catalogs: loaded documents, and the one version that judges a call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from uuid import UUID

from django.db.models import Q

from catalogs.core.document import Document, Scalar, load_document
from catalogs.core.requirements import evaluate
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


def version_for_call(attributes: Mapping[str, object], call_date: date | None) -> VersionChoice:
    """Choose the one published version that applies to a call and was in force on its date.

    Source: design 1.3, 9. None, several, or no date gives the sentence for "needs mapping".
    """
    if call_date is None:
        return _none("The call has no date, so no catalog version can be chosen; state its date.")
    fitting = [found for found in _in_force(call_date) if _applies(found[1], attributes)]
    if not fitting:
        return _none(
            f"No published catalog applies to this call on {call_date.isoformat()}; "
            "set the call's type, or publish a version that applies."
        )
    if len(fitting) > 1:
        names = ", ".join(f"{document.slug} {document.version}" for _, document in fitting)
        return _none(f"Several published catalogs apply to this call ({names}); choose one.")
    [(version_id, document)] = fitting
    return VersionChoice(version_id, document, None)


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


def _none(sentence: str) -> VersionChoice:
    return VersionChoice(None, None, sentence)


def _in_force(day: date) -> list[tuple[UUID, Document]]:
    rows = CatalogVersion.objects.filter(
        Q(effective_to__isnull=True) | Q(effective_to__gte=day),
        state=VersionState.PUBLISHED,
        effective_from__lte=day,
    )
    found = rows.order_by("catalog__slug").values_list("id", "digest")
    return [(version_id, document_of(digest)) for version_id, digest in found]


def _applies(document: Document, attributes: Mapping[str, object]) -> bool:
    """Say whether `applies_to` is true; unknown is no."""
    if document.applies_to is None:
        return True

    def attribute(name: str) -> Scalar:
        value = attributes.get(name)
        return None if isinstance(value, tuple) else value  # type: ignore[return-value]  # scalars

    return (
        evaluate(
            document.applies_to,
            phase_state=lambda _phase, _state: None,
            fact=lambda _name: None,
            attribute=attribute,
        )
        is True
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
