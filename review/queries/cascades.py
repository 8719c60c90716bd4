"""Catalog versions made ready to pre-fill, kept by digest: compiling patterns is the dear part."""

from __future__ import annotations

from functools import lru_cache

from catalogs.core.document import load_document
from catalogs.queries import document_of
from review.core.cascade.pipeline import Cascade, prepare

# Compiled pattern sets may take many megabytes each.
_KEPT_CASCADES = 16


@lru_cache(maxsize=_KEPT_CASCADES)
def cascade_of(digest: str) -> Cascade:
    """Return the prepared cascade of a stored catalog version. Raises as `document_of` does."""
    return prepare(document_of(digest))


@lru_cache(maxsize=4)
def cascade_of_text(source: bytes) -> Cascade:
    """Return the prepared cascade of a text that may be no version. Raises ValueError for one that
    cannot be read.
    """
    document, _ = load_document(source)
    if document is None:
        raise ValueError("the text cannot be read as a catalog")
    return prepare(document)
