"""Tables of catalogs."""
