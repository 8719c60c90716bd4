"""Join modules of ours into one Python file that needs no checkout: verifier and witness.

The file carries each module's source as comment lines, so that a stranger can read every line of
what runs, and a finder that loads them under their own names. It is the same byte for byte wherever
it is made from the same sources. Packages are loaded empty: a module must import from the module
that defines a name, not from a package that hands it on.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

CHECKOUT: Final = Path(__file__).resolve().parents[1]
OURS: Final = frozenset({"oipsce_site", "catalogs", "review"})
ALLOWED: Final = frozenset({"cryptography"})
_MARK: Final = "#| "


class UnableToJoin(Exception):
    """A module that cannot go into the file; the sentence names it and what it imports."""


def join_modules(entry: str, purpose: str) -> bytes:
    """Return the file that runs ``main()`` of the module `entry`.

    Raises UnableToJoin where a module imports anything but the standard library, `cryptography`
    and modules of ours, or takes a name from a package.
    """
    sources = dict(sorted(_closure(entry).items()))
    carried = "\n".join(_carry(name, source) for name, source in sources.items())
    return _FRAME.format(purpose=purpose, entry=entry, carried=carried).encode("utf-8")


def _closure(entry: str) -> dict[str, str]:
    found: dict[str, str] = {}
    waiting = [entry]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        source = _path(name).read_text(encoding="utf-8")
        found[name] = source
        waiting.extend(_imported(name, source))
    return found


def _imported(importer: str, source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        for name in _named(node):
            first = name.partition(".")[0]
            if first in OURS:
                if not _path(name).is_file():
                    raise UnableToJoin(
                        f"{importer} imports from the package {name}; import from its module"
                    )
                yield name
            elif first not in ALLOWED and first not in sys.stdlib_module_names:
                raise UnableToJoin(f"{importer} imports {name}, which strangers do not have")


def _named(node: ast.AST) -> list[str]:
    """Return the modules that a statement imports."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom) or node.module is None:
        return []
    inside = [f"{node.module}.{alias.name}" for alias in node.names]
    # ``from package import module`` takes modules, not names.
    of_package = node.module.partition(".")[0] in OURS and not _path(node.module).is_file()
    return inside if of_package and all(_path(name).is_file() for name in inside) else [node.module]


def _path(name: str) -> Path:
    return CHECKOUT.joinpath(*name.split(".")).with_suffix(".py")


def _carry(name: str, source: str) -> str:
    lines = [f"{_MARK}{line}".rstrip() for line in source.splitlines()]
    return "\n".join([f"#: {name}", *lines])


_FRAME: Final = '''#!/usr/bin/env python3
"""{purpose}

One file, made from many: the lines that begin with "#|" are the source of the modules named above
them, and the few lines at the end load them. It needs Python 3.11 or newer and the package
`cryptography`, nothing else, and neither network nor database.
"""

{carried}

import importlib.abc
import importlib.machinery
import sys

_SOURCES = {{}}
with open(__file__, encoding="utf-8") as _file:
    for _line in _file:
        if _line.startswith("#: "):
            _lines = _SOURCES.setdefault(_line[3:].strip(), [])
        elif _line.startswith("#|"):
            _lines.append(_line[3:] if len(_line) > 3 else "\\n")


class _Carried(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Loads the modules that this file carries, before any others of the same name."""

    def find_spec(self, name, path=None, target=None):
        is_package = any(known.startswith(name + ".") for known in _SOURCES)
        if name not in _SOURCES and not is_package:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=is_package)

    def get_source(self, name):
        return "".join(_SOURCES.get(name, []))


sys.dont_write_bytecode = True
sys.meta_path.insert(0, _Carried())

from {entry} import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
'''
