"""Tables of review."""
