"""Rows as the text of a file for spreadsheets, no cell of which is a formula."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence

from review.core.compliance.cells import plain_cell


class _Echo:
    """A file for csv.writer that hands back what is written to it."""

    def write(self, text: str) -> str:
        """Return the text."""
        return text


def csv_text(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Yield the file line by line, its head first."""
    writer = csv.writer(_Echo())
    yield writer.writerow(head)
    for row in rows:
        yield writer.writerow([plain_cell(str(cell)) for cell in row])
