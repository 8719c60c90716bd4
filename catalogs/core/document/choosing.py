"""Which catalog version judges a call: exactly one whose window holds the call's date and whose
condition holds (design 1.3, 9).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from catalogs.core.document.model import Document
from catalogs.core.document.origin import origin_of
from catalogs.core.requirements import (
    AttributeName,
    Comparison,
    Literal,
    Scalar,
    evaluate,
    free_attributes,
)
from catalogs.core.requirements.expression import atoms


@dataclass(frozen=True, slots=True)
class Choice:
    """The version that judges a call, or None with the sentence that says what to do."""

    document: Document | None
    sentence: str


@dataclass(frozen=True, slots=True)
class ChoosingAttribute:
    """A call attribute that decides which catalog applies: its name without ``call.``, its type as
    the catalogs declare it, and the values that they compare it to.
    """

    name: str
    kind: str
    values: tuple[Literal, ...]


def choosing_attributes(documents: Iterable[Document]) -> tuple[ChoosingAttribute, ...]:
    """Return every attribute that a condition of these documents reads, by name."""
    kinds: dict[str, str] = {}
    values: dict[str, set[Literal]] = {}
    for document in documents:
        if document.applies_to is None:
            continue
        for name in free_attributes(document.applies_to):
            kinds.setdefault(name, document.inputs.get(name, "string"))
            values.setdefault(name, set())
        for atom in atoms(document.applies_to.node):
            if isinstance(atom, Comparison) and isinstance(atom.name, AttributeName):
                values[atom.name.name].update(atom.literals)
    return tuple(
        ChoosingAttribute(name, kinds[name], tuple(sorted(values[name], key=str)))
        for name in sorted(kinds)
    )


def applicable(
    documents: Iterable[Document],
    attributes: Mapping[str, Scalar],
    on: date,
    site: str | None = None,
) -> tuple[Document, ...]:
    """Return the documents that apply to such a call of a site (its slug) and are in force on its
    day. Where an overlay of the site is, its base is not.
    """
    return _laid_over(
        [
            document
            for document in _of_site(documents, site)
            if applies(document, attributes) and in_force(document, on)
        ]
    )


def _of_site(documents: Iterable[Document], site: str | None) -> list[Document]:
    """Leave out the overlays of other sites."""
    return [
        document
        for document in documents
        if (origin := origin_of(document)) is None or site in origin.sites
    ]


def _laid_over(current: Iterable[Document]) -> tuple[Document, ...]:
    """Leave out the catalogs that an overlay among these stands for."""
    found = tuple(current)
    bases = {origin.base_slug for document in found if (origin := origin_of(document)) is not None}
    return tuple(document for document in found if document.slug not in bases)


def applies(document: Document, attributes: Mapping[str, Scalar]) -> bool | None:
    """Evaluate `applies_to` over a call's attributes; None where it reads one that is missing."""
    if document.applies_to is None:
        return True
    return evaluate(
        document.applies_to,
        phase_state=lambda phase, state: None,
        fact=lambda name: None,
        attribute=attributes.get,
    )


def in_force(document: Document, on: date) -> bool:
    """Say whether a call of this date is judged by this version (both ends of the window count)."""
    ended = document.effective_to is not None and on > document.effective_to
    return document.effective_from <= on and not ended


def choose(
    documents: Iterable[Document],
    attributes: Mapping[str, Scalar],
    on: date | None,
    site: str | None = None,
) -> Choice:
    """Choose the one version for a call of a site (its slug; None: no site is known).

    None, several or no date: no version, and a sentence. An overlay judges the calls of its sites
    in the place of its base, on the days on which it is in force.
    """
    ours = _of_site(documents, site)
    fitting = [document for document in ours if applies(document, attributes)]
    if not fitting:
        kind = attributes.get("type")
        return Choice(
            None, f"No catalog applies to a call of type {kind or 'unknown'}. Choose one."
        )
    if on is None:
        return Choice(
            None, "The call has no date, so no catalog version can be chosen. Set its date."
        )
    current = _laid_over(document for document in fitting if in_force(document, on))
    if not current:
        named = ", ".join(f"{document.slug} {document.version}" for document in fitting)
        return Choice(None, f"No version is in force on {on.isoformat()} (there are: {named}).")
    if len(current) > 1:
        named = ", ".join(f"{document.slug} {document.version}" for document in current)
        return Choice(None, f"Several versions apply on {on.isoformat()}: {named}. Choose one.")
    return Choice(current[0], "")
