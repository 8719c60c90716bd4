"""PDFs by typst: PDF/A-2a and PDF/UA-1, fonts embedded, the same bytes for the same sheet.

typst runs in this process, outside Python's lock, so that two threads print on two cores while the
caller reads the next call. It sees one template and one sheet, no folder, no system font, no net.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

import typst

from review.core.export.sheets import to_print

_TEMPLATES: Final = Path(__file__).parent / "sheets"
_STANDARDS: Final[list[typst.PDFStandard]] = ["a-2a", "ua-1"]
THREADS: Final = 2
# typst would share each page among as many threads again: they wait for each other, and a sheet
# takes a sixth more CPU. Read when the first sheet is set.
os.environ.setdefault("RAYON_NUM_THREADS", "1")
#: How many empty documents follow each sheet; they cost half a millisecond each.
_EMPTY_SHEETS: Final = 9


class UnableToPrint(Exception):
    """A sheet that could not be typeset; the sentence says of which call."""


class TypstPress:
    """Prints sheets on threads of its own."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self._pool = pool

    def submit(self, sheet: dict[str, Any]) -> Future[bytes]:
        """Begin to print a sheet."""
        return self._pool.submit(print_sheet, sheet)


@contextmanager
def open_press(threads: int = THREADS) -> Iterator[TypstPress]:
    """Yield a press; what was not waited for is dropped at the end."""
    pool = ThreadPoolExecutor(threads, thread_name_prefix="press")
    try:
        yield TypstPress(pool)
    finally:
        pool.shutdown(cancel_futures=True)


def print_sheet(sheet: dict[str, Any]) -> bytes:
    """Return the PDF of a sheet. Raises UnableToPrint."""
    try:
        return _typeset(sheet["kind"], to_print(sheet))
    except typst.TypstError:
        # A mark that no face has on its letter: every mark is named by its number then.
        pass
    try:
        return _typeset(sheet["kind"], to_print(sheet, with_marks=False))
    except typst.TypstError:
        # typst quotes the text that it could not set: its words go no further.
        raise UnableToPrint(
            f"the PDF of {sheet.get('call', 'the audit')} could not be set"
        ) from None


def _typeset(kind: str, data: str) -> bytes:
    try:
        printed = typst.compile(
            _template(kind),
            format="pdf",
            font_paths=_fonts(),
            ignore_system_fonts=True,
            sys_inputs={"sheet": data},
            pdf_standards=_STANDARDS,
        )
    finally:
        _forget_sheets()
    if not isinstance(printed, bytes):
        raise UnableToPrint("typst gave no bytes")
    return printed


def _forget_sheets() -> None:
    """Let typst forget sheets: it keeps its work on the last ten documents, 4 MB for each."""
    for _ in range(_EMPTY_SHEETS):
        typst.compile(b"", format="svg", font_paths=_fonts(), ignore_system_fonts=True)


@cache
def _template(kind: str) -> bytes:
    parts = [_TEMPLATES / "look.typ", _TEMPLATES / f"{kind}.typ"]
    return b"\n".join(part.read_bytes() for part in parts)


@cache
def _fonts() -> typst.Fonts:
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=True)
