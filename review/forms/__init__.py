"""Plain forms of review: they check shape and never save."""
