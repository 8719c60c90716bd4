"""Checking catalog files for the commands: static rules, rules that compare files, the rehearsal.

Files named together are siblings of each other: versions of one catalog among them must not
overlap, a version is compared with the one before it, an overlay with the base it names.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from catalogs.core.document import Document, load_document
from catalogs.core.document.origin import origin_of
from catalogs.core.findings import Finding, Severity
from catalogs.core.linter import lint, lint_against
from catalogs.core.overlay import Loaded
from catalogs.shipped import SHIPPED_CATALOGS
from review.core.rehearsal import FindCalls, Rehearsal, rehearse
from review.core.rehearsal.companion import PLACE
from review.management.bases import add_base_argument, file_bytes, number_of, read_catalog
from review.shipped import SHIPPED_CASES, SITE_CASES


@dataclass(frozen=True, slots=True)
class Located:
    """A finding and the file it is about: the catalog, or its companion file of sentences."""

    path: Path
    finding: Finding


@dataclass(frozen=True, slots=True)
class Checked:
    """A catalog file with all that is to be said of it; no document and no rehearsal where it
    cannot be read.
    """

    path: Path
    document: Document | None
    findings: tuple[Located, ...]
    rehearsal: Rehearsal | None

    @property
    def errors(self) -> int:
        """How many findings are errors."""
        return sum(1 for one in self.findings if one.finding.severity is Severity.ERROR)


def add_file_arguments(parser: ArgumentParser) -> None:
    """Declare which files are checked, and where their calls lie."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a catalog file, or a shipped one")
    parser.add_argument("--calls", type=Path, metavar="DIR", help="look for test calls here first")
    add_base_argument(parser)
    parser.add_argument("--format", choices=("text", "json", "sarif"), default="text")
    parser.add_argument(
        "--all",
        action="store_true",
        help="as text, list every warning; without it, many of one code are counted on one line",
    )


def check_files(options: Mapping[str, Any], today: date) -> tuple[Checked, ...]:
    """Check every file named, each beside the others. Raises CommandError for one that is not
    there.
    """
    folder = options["calls"]
    if folder is not None and not folder.is_dir():
        raise CommandError(f"{folder} is no folder; --calls names the folder with the call files.")
    paths = list(dict.fromkeys(path_of(named) for named in options["files"]))
    loaded = [
        (path, read_catalog(path, base=options["base"], others=paths, today=today))
        for path in paths
    ]
    documents = [one.document for _, one in loaded if one.document is not None]
    return tuple(_checked(path, one, _Beside(documents, folder, today)) for path, one in loaded)


@dataclass(frozen=True, slots=True)
class _Beside:
    """What a file is checked beside: the other documents, a folder of calls, the day."""

    documents: Sequence[Document]
    folder: Path | None
    today: date


def _checked(path: Path, loaded: Loaded, beside: _Beside) -> Checked:
    document = loaded.document
    if document is None:
        return Checked(path, None, _located(path, path, loaded.findings), None)
    companion = path.parent / "sentences" / f"{path.stem}.yaml"
    sentences = file_bytes(companion) if companion.is_file() else None
    rehearsal = rehearse(
        document, calls=_calls_of(path, beside.folder), sentences=sentences, today=beside.today
    )
    found = (
        *loaded.findings,
        *lint(document, today=beside.today),
        *_compared(document, beside.documents),
        *rehearsal.findings,
    )
    return Checked(path, document, _located(path, companion, found), rehearsal)


def _located(path: Path, companion: Path, found: Sequence[Finding]) -> tuple[Located, ...]:
    """Give every finding its file, each once, in the order of the lines."""
    located = [
        Located(companion if finding.where.startswith(PLACE) else path, finding)
        for finding in dict.fromkeys(found)
    ]
    return tuple(
        sorted(located, key=lambda one: (one.path != path, one.finding.line or 0, one.finding.code))
    )


def _compared(document: Document, others: Sequence[Document]) -> tuple[Finding, ...]:
    siblings = [other for other in others if other is not document]
    own = [other for other in siblings if other.slug == document.slug]
    earlier = [other for other in own if number_of(other) < number_of(document)]
    base = None
    extends = document.data.get("extends")
    # What a merged document weakens was found, with the overlay's lines, when it was merged.
    if isinstance(extends, str) and origin_of(document) is None:
        slug, _, version = extends.partition("@")
        named = [other for other in siblings if other.slug == slug]
        base = next((other for other in named if _begins(other.version, version)), None)
    return lint_against(
        document, previous=max(earlier, key=number_of, default=None), siblings=siblings, base=base
    )


def _begins(version: str, start: str) -> bool:
    return not start or f"{version}.".startswith(f"{start}.")


def _calls_of(path: Path, folder: Path | None) -> FindCalls:
    """Make the function that finds a test's call: in --calls, beside the file, in ../cases, or
    shipped.
    """
    folders = [
        path.parent,
        path.parent.parent / "cases",
        *(case.parent for case in (*SHIPPED_CASES, *SITE_CASES)),
    ]
    places = [*([folder] if folder is not None else []), *dict.fromkeys(folders)]

    def find(name: str) -> bytes | None:
        # A test names a file, never a way out of these folders.
        if Path(name).name != name:
            return None
        found = next((place / name for place in places if (place / name).is_file()), None)
        return None if found is None else file_bytes(found)

    return find


def catalog_of(named: str, *, base: Path | None = None) -> Loaded:
    """Read a catalog or an overlay by path, or a shipped one by its file's name or its slug.

    Raises CommandError for one that is not there.
    """
    return read_catalog(path_of(named), base=base)


def path_of(named: str) -> Path:
    """Find a catalog by path, or a shipped one by the name of its file or by its slug."""
    path = Path(named)
    if path.exists() and not path.is_dir():
        return path
    for shipped, matches in ((one, test) for test in _NAMES for one in SHIPPED_CATALOGS):
        if matches(shipped, named):
            return shipped
    known = ", ".join(one.stem.replace("_", "-") for one in SHIPPED_CATALOGS)
    raise CommandError(f"{named} is neither a file nor a shipped catalog ({known}).")


def _has_slug(path: Path, slug: str) -> bool:
    document, _ = load_document(path.read_bytes())
    return document is not None and document.slug == slug


_NAMES: tuple[Callable[[Path, str], bool], ...] = (
    lambda path, named: path.stem.replace("_", "-") == named,
    _has_slug,
)
