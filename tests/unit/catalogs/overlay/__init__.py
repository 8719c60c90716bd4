"""Overlays: their form, what tightens, and the merged document."""
