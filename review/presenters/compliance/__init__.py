"""The pages of compliance officers, as values that templates print."""
