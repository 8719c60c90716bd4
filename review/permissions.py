"""Who may do what in review: check_ raises with its sentence, can_ derives from it."""
