"""The names that an expression may use, each with what it is: for a list and for completion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from catalogs.core.document import Document

_STATES = ("passed", "failed", "started", "finished")


@dataclass(frozen=True, slots=True)
class ExpressionName:
    """What may be written, and its type with what it means."""

    word: str
    meaning: str


@dataclass(frozen=True, slots=True)
class ExpressionNames:
    """Names by where they may stand: `condition` of duties and edges, `attributes` of calls alone,
    as where a catalog is chosen.
    """

    condition: tuple[ExpressionName, ...]
    attributes: tuple[ExpressionName, ...]


def names_for(document: Document) -> ExpressionNames:
    """Return the names that the expressions of a document may use."""
    attributes = tuple(_attributes(document))
    return ExpressionNames((*_facts(document), *attributes, *_phases(document)), attributes)


def _facts(document: Document) -> Iterator[ExpressionName]:
    for fact in document.facts.values():
        yield ExpressionName(fact.name, f"{fact.type}, a fact of {fact.source}: {fact.meaning}")


def _attributes(document: Document) -> Iterator[ExpressionName]:
    for name, kind in document.inputs.items():
        word = name if name.startswith("call.") else f"call.{name}"
        yield ExpressionName(word, f"{kind}, an attribute of the call")


def _phases(document: Document) -> Iterator[ExpressionName]:
    for phase in document.phases:
        for state in _STATES:
            yield ExpressionName(f"{phase.id} {state}", f"yes or no, the phase {phase.name}")
