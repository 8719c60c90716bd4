"""Frozen values that the pages of catalogs are drawn from."""
