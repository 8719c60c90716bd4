"""Programs of others that judge our figures; run by hand, in an environment thrown away after."""
