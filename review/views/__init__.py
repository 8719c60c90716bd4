"""Pages of review, one page or fragment family per module."""
