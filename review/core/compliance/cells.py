"""Cells of a file for spreadsheets: none of them is ever taken for a formula."""

from __future__ import annotations

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def plain_cell(text: str) -> str:
    """Return a text that a spreadsheet shows and never runs (ASVS 1.2.10).

    >>> plain_cell("=1+1"), plain_cell("north")
    ("'=1+1", 'north')
    """
    return f"'{text}" if text.lstrip(" ")[:1] in _FORMULA and text.strip(" ") else text
