"""Where the content that comes with the product lies: catalogs and case calls."""

from __future__ import annotations

from pathlib import Path

import catalogs
import review

#: The shipped catalogs, in the order of their names.
SHIPPED_CATALOGS = tuple(sorted((Path(catalogs.__file__).parent / "shipped").glob("*.yaml")))

#: The shipped case calls, in the order of their names.
SHIPPED_CASES = tuple(sorted((Path(review.__file__).parent / "shipped" / "cases").glob("*.json")))
