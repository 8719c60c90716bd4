"""The pure part of the decision log: no Django, no clock, no files, no randomness."""
