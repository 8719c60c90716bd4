"""The method: transcript, rows, cascade, predicates, evaluation. No Django, no files, no clock, no
randomness.
"""
