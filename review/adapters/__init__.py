"""Programs of others behind interfaces of the core: a typesetter, models, receivers of webhooks."""
