"""Plain forms of catalogs: they check shape and never save."""
