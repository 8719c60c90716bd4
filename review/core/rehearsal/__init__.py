"""Trying a catalog out: a call is replayed with stated changes and what comes out is compared."""
