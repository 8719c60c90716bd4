"""What the architecture tests read: our own modules, parsed once."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from oipsce_site.services.layout import CHECKOUT

PACKAGES = ("oipsce_site", "catalogs", "review")


@dataclass(frozen=True, slots=True)
class Module:
    """One source file of ours."""

    path: str
    tree: ast.Module
    lines: int

    @property
    def parts(self) -> tuple[str, ...]:
        """The folders and the name, for questions like: does it lie in actions/?"""
        return Path(self.path).with_suffix("").parts


@cache
def modules(*folders: str) -> tuple[Module, ...]:
    """Return every Python file below the folders, migrations left out."""
    return tuple(_read(path) for folder in folders for path in _files(CHECKOUT / folder))


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*.py")):
        if "migrations" not in path.parts:
            yield path


def _read(path: Path) -> Module:
    text = path.read_text(encoding="utf-8")
    name = path.relative_to(CHECKOUT).as_posix()
    return Module(name, ast.parse(text, filename=name), len(text.splitlines()))
