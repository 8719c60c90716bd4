"""Tests of the rehearsal of catalogs."""
