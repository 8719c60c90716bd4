"""Decisions of people, folded over proposals."""
