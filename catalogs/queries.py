"""Read functions of catalogs that cross models."""
