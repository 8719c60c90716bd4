"""Spans, placing and naming."""
