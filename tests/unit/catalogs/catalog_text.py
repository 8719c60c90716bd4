"""The shipped catalogs as bytes; and two catalogs that stay as they are, to be edited by tests.

Shipped catalogs grow with every wording that is found. A test that needs a place, a line or a
mistake in a catalog takes a copy of its own (base/) instead, so that widening breaks no test.
"""

from pathlib import Path

SHIPPED = Path(__file__).parents[3] / "catalogs" / "shipped"
NAMES = tuple(sorted(path.name for path in SHIPPED.glob("*.yaml")))
BASE = Path(__file__).parent / "base"


def shipped(name: str = "benefits_verification.yaml") -> bytes:
    """Return a shipped catalog."""
    return (SHIPPED / name).read_bytes()


def base(name: str = "benefits_verification.yaml") -> bytes:
    """Return a catalog that never changes."""
    return (BASE / name).read_bytes()


def edited(*changes: tuple[str, str], name: str = "benefits_verification.yaml") -> bytes:
    """Return a catalog that never changes, with each old text, which must be there, replaced
    once.
    """
    text = base(name).decode()
    for old, new in changes:
        assert old in text, f"nothing to replace: {old!r}"
        text = text.replace(old, new, 1)
    return text.encode()


def line_of(data: bytes, text: str) -> int:
    """Return the line, counted from 1, on which a text first stands."""
    return data.decode().split(text, 1)[0].count("\n") + 1
