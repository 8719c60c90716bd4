"""Pages of administration, one page or kind of act per module."""
