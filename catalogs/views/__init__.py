"""Pages of catalogs, one page or fragment family per module."""
