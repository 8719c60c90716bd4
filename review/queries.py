"""Read functions of review that cross models."""
