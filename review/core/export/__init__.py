"""Build a signed audit: from values to the bytes of one file, the same wherever it is built."""
