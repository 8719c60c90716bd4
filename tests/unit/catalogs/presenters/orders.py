"""Catalogs in the fewest words: phases by name, their parents, their critical parents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from catalogs.core.document import CriticalEdge, Document, Phase, Scope, load_document
from catalogs.shipped import SHIPPED_CATALOGS


def shipped(name: str) -> Document:
    """Load a shipped catalog by its file's name."""
    [path] = [path for path in SHIPPED_CATALOGS if path.stem == name]
    document, findings = load_document(path.read_bytes())
    assert document is not None, findings
    return document


def ordered(orders: Mapping[str, str]) -> Document:
    """Return a catalog of these phases; "A B!" means after A, and critically after B."""
    document = shipped("micro")
    phases = tuple(_phase(document.phases[0], name, words) for name, words in orders.items())
    return replace(document, phases=phases)


def _phase(like: Phase, name: str, words: str) -> Phase:
    parents = tuple(word.rstrip("!") for word in words.split())
    critical = tuple(
        CriticalEdge(word.rstrip("!"), "It would do harm.", (), Scope.CALL)
        for word in words.split()
        if word.endswith("!")
    )
    return replace(like, id=name, name=f"Phase {name}", parents=parents, critical=critical)
