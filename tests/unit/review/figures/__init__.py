"""Shares and medians with their intervals."""
