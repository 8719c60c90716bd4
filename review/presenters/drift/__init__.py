"""The page of drift: what its address asks for, and what it shows."""
