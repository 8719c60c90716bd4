"""Tests of the catalog core; no database."""
