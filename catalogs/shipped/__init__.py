"""The catalogs that come with the product, as files; they are drafts until a lawyer signs."""

from pathlib import Path

#: The shipped catalogs, in the order of their names.
SHIPPED_CATALOGS = tuple(sorted(Path(__file__).parent.glob("*.yaml")))
#: Overlays of them, as examples.
SHIPPED_OVERLAYS = tuple(sorted((Path(__file__).parent / "overlays").glob("*.yaml")))
