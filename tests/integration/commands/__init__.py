"""Commands as an engineer runs them. None of these opens a database."""
