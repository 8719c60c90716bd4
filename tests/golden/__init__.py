"""The numbers of the paper: what the engine must say of the case calls, whatever else changes."""
