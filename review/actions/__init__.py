"""Everything that writes in review: one verb per function, its audit inside."""
