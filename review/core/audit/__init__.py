"""What the export writes and the verifier reads: names of files, formats, and the container.

Modules are imported from, not this package: they also run inside the stand-alone verifier.
"""
