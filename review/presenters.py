"""Frozen values that the pages of review are drawn from."""
