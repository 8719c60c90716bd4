"""Edges, items and phases as people read them."""

from __future__ import annotations

from review.core.compliance.marks import is_edge


def edge_words(name: str) -> str:
    """Write an edge or item as pages do.

    >>> edge_words("PID>CSV"), edge_words("PID/name")
    ('PID \u2192 CSV', 'PID \u00b7 name')
    """
    return name.replace(">", " → ") if is_edge(name) else name.replace("/", " · ", 1)


def name_words(name: str) -> str:
    """Write the same, and a phase as what it stands for.

    >>> name_words("PID")
    'PID, all items'
    """
    return edge_words(name) if is_edge(name) or "/" in name else f"{name}, all items"
