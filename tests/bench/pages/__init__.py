"""Page budgets: what pages cost in time, bytes and requests, each figure beside its target."""
