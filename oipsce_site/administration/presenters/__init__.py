"""What the pages of administration show, as values."""
