"""The finder of identifiers, and what masks them."""
