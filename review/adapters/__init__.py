"""Programs of others behind interfaces of the core: the typesetter that prints sheets."""
