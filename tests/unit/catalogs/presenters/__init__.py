"""What the pages of catalogs are drawn from."""
