"""The case calls that come with the product, as files."""

from pathlib import Path

#: The shipped case calls, in the order of their names.
SHIPPED_CASES = tuple(sorted((Path(__file__).parent / "cases").glob("*.json")))
#: Calls that the tests of shipped overlays name; no demo imports them.
SITE_CASES = tuple(sorted((Path(__file__).parent / "site_cases").glob("*.json")))


def shipped_case(name: str) -> bytes | None:
    """Return the bytes of a shipped case by its file name, None for any other name."""
    found = next((one for one in (*SHIPPED_CASES, *SITE_CASES) if one.name == name), None)
    return None if found is None else found.read_bytes()
