"""The pure part of signing: no Django, no clock, no files, no randomness; keys are arguments."""
