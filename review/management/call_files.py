"""Call files as named on a command line: a folder stands for every file in it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def call_files(named: Iterable[Path]) -> list[Path]:
    """Return the files named, and for a folder every file in and below it, in the order of their
    names. Hidden files and folders, and names that begin with an underscore, are left out.
    """
    found: list[Path] = []
    for path in named:
        found += _inside(path) if path.is_dir() else [path]
    return list(dict.fromkeys(found))


def _inside(folder: Path) -> list[Path]:
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and not any(_is_left_out(part) for part in path.relative_to(folder).parts)
    )


def _is_left_out(part: str) -> bool:
    return part.startswith((".", "_"))
