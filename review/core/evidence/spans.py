"""Spans of a turn's text: cutting quotes, committing to them, and mapping offsets of the NFC copy
back.

Offsets are code points into the stored text, half-open. A quote is never stored: what is kept is an
HMAC under a random nonce that lies beside the text and is destroyed with it (design 1.1).
"""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata

_DOMAIN = b"oip-sce/quote/v1\0"
_LONGEST_WORD = 30
_IN_NUMBER = re.compile(r"\d[.,:]\d")


def cut(text: str, start: int, end: int) -> str:
    """Cut the quote [start, end) from a turn's text; raises ValueError for a span that does not lie
    inside it.
    """
    if not 0 <= start <= end <= len(text):
        raise ValueError(
            f"the span {start}-{end} does not lie inside a text of {len(text)} characters"
        )
    return text[start:end]


def whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen a span that cuts a word or a number to all of it, for people to read; a pattern may be
    content with the first digit, and "$1" of "$10" reads as another amount.

    A span stays as it is where the run of letters is long: some scripts write no spaces.

    >>> whole_words("a $10.50 copay", 2, 4)
    (2, 8)
    """
    if start >= end:
        return start, end
    first, last = start, end
    while first > 0 and _runs_on(text, first):
        first -= 1
    while last < len(text) and _runs_on(text, last):
        last += 1
    is_short = start - first + last - end < _LONGEST_WORD
    return (first, last) if is_short else (start, end)


def _runs_on(text: str, place: int) -> bool:
    """Say whether the characters on both sides of a place belong to one word or one number."""
    if text[place - 1].isalnum() and text[place].isalnum():
        return True
    windows = (text[place - 1 : place + 2], text[max(0, place - 2) : place + 1])
    return any(_IN_NUMBER.fullmatch(window) for window in windows)


def commit(quote: str, nonce: bytes) -> str:
    """Commit to a quote without keeping it: hex HMAC-SHA256 over its UTF-8 bytes under a 32-byte
    nonce.
    """
    return hmac.new(nonce, _DOMAIN + quote.encode("utf-8"), hashlib.sha256).hexdigest()


def nfc_map(text: str) -> tuple[str, list[int]]:
    """Return the NFC form of a text and, for each of its positions (and its end), the offset in the
    original.

    The original is cut into the shortest chunks whose normal forms join up to the whole, so that a
    span of the copy always widens to whole chunks of the stored text.
    """
    pieces: list[str] = []
    offsets: list[int] = []
    for start, end in _chunks(text):
        piece = unicodedata.normalize("NFC", text[start:end])
        pieces.append(piece)
        offsets.extend([start] * len(piece))
    return "".join(pieces), [*offsets, len(text)]


def widen(offsets: list[int], start: int, end: int) -> tuple[int, int]:
    """Map a span of the NFC copy to the stored text; the end goes to the next chunk's beginning."""
    if start == end:
        return offsets[start], offsets[start]
    stop = end
    while stop < len(offsets) - 1 and offsets[stop] == offsets[end - 1]:
        stop += 1
    return offsets[start], offsets[stop]


def _chunks(text: str) -> list[tuple[int, int]]:
    chunks: list[tuple[int, int]] = []
    start = 0
    for position in range(1, len(text)):
        if not _joins(text[start:position], text[position]):
            chunks.append((start, position))
            start = position
    if text:
        chunks.append((start, len(text)))
    return chunks


def _joins(chunk: str, following: str) -> bool:
    """Say whether the next character belongs to the chunk: a combining mark, or one that composes
    with it.
    """
    if unicodedata.combining(following):
        return True
    if chunk.isascii() and following.isascii():
        return False
    apart = unicodedata.normalize("NFC", chunk) + unicodedata.normalize("NFC", following)
    return unicodedata.normalize("NFC", chunk + following) != apart
