"""Everything that writes in catalogs: one verb per function, its audit inside."""
