"""The catalog as a value: loading, expressions, graphs, digests and lint. No Django, no files, no
clock.
"""
