"""Catalog files of the commands: a catalog, or an overlay with the base that it is laid over.

A base is the file that `--base` names; else one of the files named together with the overlay, one
beside it, or a shipped catalog, in this order: the highest version of the major that `extends`
names.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path

from django.core.management.base import CommandError

from catalogs.core.document import Document, load_document
from catalogs.core.overlay import FindBase, Loaded, Overlay, load_catalog
from catalogs.shipped import SHIPPED_CATALOGS

_ENDINGS = frozenset({".yaml", ".yml"})


def add_base_argument(parser: ArgumentParser) -> None:
    """Declare `--base`."""
    parser.add_argument(
        "--base", type=Path, metavar="FILE", help="the catalog that an overlay is laid over"
    )


def read_catalog(
    path: Path,
    *,
    base: Path | None = None,
    others: Sequence[Path] = (),
    today: date | None = None,
) -> Loaded:
    """Read the catalog or overlay of a file. `others` are files named with it. Raises CommandError
    for a file that cannot be read, and for a `--base` that is not the overlay's.
    """
    find = _named(base) if base is not None else _among(path, others)
    return load_catalog(file_bytes(path), find, today=today)


def file_bytes(path: Path) -> bytes:
    """Return the bytes of a file. Raises CommandError where it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from None


def number_of(document: Document) -> tuple[int, ...]:
    """Return a version's number, to compare it with others."""
    return tuple(int(part) if part.isdecimal() else 0 for part in document.version.split("."))


def _named(base: Path) -> FindBase:
    document, _ = load_document(file_bytes(base))

    def find(overlay: Overlay) -> Document:
        if document is None:
            raise CommandError(f"{base} cannot be read as a catalog; lint_catalog says why.")
        if not _fits(document, overlay):
            raise CommandError(
                f"{base} is {document.slug} {document.version}; the overlay extends "
                f"{overlay.base_slug}@{overlay.base_major}."
            )
        return document

    return find


def _among(path: Path, others: Sequence[Path]) -> FindBase:
    beside = sorted(one for one in path.parent.glob("*") if one.suffix in _ENDINGS)

    def find(overlay: Overlay) -> Document | None:
        for places in (others, beside, SHIPPED_CATALOGS):
            found = list(_fitting((one for one in places if one != path), overlay))
            if found:
                return max(found, key=number_of)
        return None

    return find


def _fitting(paths: Iterable[Path], overlay: Overlay) -> Iterator[Document]:
    for path in paths:
        data = file_bytes(path)
        # Reading a catalog takes a tenth of a second; most files are of others.
        if overlay.base_slug.encode() not in data:
            continue
        document, _ = load_document(data)
        if document is not None and _fits(document, overlay):
            yield document


def _fits(document: Document, overlay: Overlay) -> bool:
    return document.slug == overlay.base_slug and number_of(document)[0] == overlay.base_major
