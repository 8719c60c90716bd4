"""Bytes to text: the size limit and the character sets, in the order of the design.

BOM first (UTF-8, UTF-16, UTF-32), then UTF-8, then cp1252 with a warning. Text is not normalised
(no NFC).
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from catalogs.core.findings import Finding, error, note, warning

MAX_BYTES = 20 * 1024 * 1024

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class RefusedInput(Exception):
    """A file, a line or a call that is not taken; carries the finding that says why, where and what
    to do.
    """

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.text)
        self.finding = finding


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a file and what decoding it had to say."""

    text: str
    findings: tuple[Finding, ...]


def decode(data: bytes, *, name: str) -> Decoded:
    """Decode a file's bytes (at most 20 MB).

    Raises RefusedInput for a file that is too large (checked before anything is decoded) or is not
    text.
    """
    if len(data) > MAX_BYTES:
        sentence = (
            f"The file has {len(data):,} bytes; at most {MAX_BYTES:,} (20 MB) are read. "
            "Split it into smaller files."
        )
        raise RefusedInput(error("file_too_large", name, sentence))
    for mark, charset in _MARKS:
        if data.startswith(mark):
            return _decode_marked(data, charset, name)
    try:
        return Decoded(data.decode("utf-8"), ())
    except UnicodeDecodeError:
        return _decode_guessed(data, name)


def normalise_newlines(text: str) -> str:
    """Turn CRLF and CR into LF; nothing else of a text is changed."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decode_marked(data: bytes, charset: str, name: str) -> Decoded:
    try:
        text = data.decode(charset)
    except UnicodeDecodeError as reason:
        raise _not_text(name, charset.removesuffix("-sig"), reason.start) from None
    sentence = (
        f"The file starts with a byte order mark and was read as {charset.removesuffix('-sig')}."
    )
    return Decoded(text, (note("bom", name, sentence),))


def _decode_guessed(data: bytes, name: str) -> Decoded:
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError as reason:
        raise _not_text(name, "UTF-8 or cp1252", reason.start) from None
    sentence = (
        "The file is not UTF-8 and was read as cp1252 (Windows). Check accented letters, or send "
        "UTF-8."
    )
    return Decoded(text, (warning("encoding_guessed", name, sentence),))


def _not_text(name: str, charset: str, position: int) -> RefusedInput:
    sentence = (
        f"The byte at position {position} cannot be read as {charset}. Save the file as UTF-8."
    )
    return RefusedInput(error("not_text", name, sentence))
