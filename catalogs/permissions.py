"""Who may do what in catalogs: check_ raises with its sentence, can_ derives from it."""
