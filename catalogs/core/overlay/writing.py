"""The text of a merged document: an ordinary catalog, written in the order of the format."""

from __future__ import annotations

from catalogs.core.document import Document, load_document
from catalogs.core.document.origin import origin_of
from catalogs.core.editing.writing import entry

_HEAD = """\
# Merged from {base} {version} and the overlay {slug}.
# The product wrote this; change the overlay, not this text.
"""


def written(document: Document) -> bytes:
    """Return the text of a merged document. Raises ValueError for one that is none, and where the
    text would not read as the same document.
    """
    origin = origin_of(document)
    if origin is None:
        raise ValueError(f"{document.slug} {document.version} is not merged from an overlay")
    head = _HEAD.format(base=origin.base_slug, version=origin.base_version, slug=document.slug)
    lines = [entry(key, value, 0) for key, value in document.data.items()]
    text = (head + "\n".join(lines) + "\n").encode("utf-8")
    again, findings = load_document(text)
    if again is None or again.digest != document.digest:
        said = findings[0].text if findings else "it reads as another document"
        raise ValueError(f"the merged catalog cannot be written down: {said}")
    return text
