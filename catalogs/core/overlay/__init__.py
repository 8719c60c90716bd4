"""An overlay for a site: it adds to a base catalog and tightens it, and never weakens it (E610).

1. `load_overlay` reads the form (`extends`, `add_phases`, `tighten`, `translate`, `waivers`).
2. `merge` lays it over a base. The result is an ordinary document: everything that reads a catalog
   reads it, and its digest names the base's digest and the overlay's.
3. `written` is the text of a merged document; read again, it has the same digest.
4. `load_catalog` reads a text that may be either, with a function that finds the base.
"""

from catalogs.core.overlay.loading import FindBase, Loaded, Overlay, load_catalog, load_overlay
from catalogs.core.overlay.merging import merge
from catalogs.core.overlay.starting import empty_overlay
from catalogs.core.overlay.writing import written

__all__ = [
    "FindBase",
    "Loaded",
    "Overlay",
    "empty_overlay",
    "load_catalog",
    "load_overlay",
    "merge",
    "written",
]
