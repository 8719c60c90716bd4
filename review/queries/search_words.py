"""The words a call is found by, cut the same way when they are stored and when they are asked for.

Letters and digits of any script, case folded; everything else ends a word. So a word is a lexeme of
PostgreSQL as it stands, and no text of a person reaches the grammar of a search.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_WORD = re.compile(r"[^\W_]+")
_LONGEST_WORD = 60
#: A title of a thousand words is no title; its first words find it.
_MOST_STORED = 300
_MOST_ASKED = 8
#: Shorter words are asked for as they stand: the beginning "a" would find every call.
_SHORTEST_BEGINNING = 3


def words_of(text: str) -> list[str]:
    """Return the words of a text in order.

    >>> words_of("Case B: PID, ORDER_VIOLATION")
    ['case', 'b', 'pid', 'order', 'violation']
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return [word[:_LONGEST_WORD] for word in _WORD.findall(folded)]


def stored_words(texts: Iterable[str]) -> str:
    """Return the words of texts as a tsvector is written, each once."""
    words = dict.fromkeys(word for text in texts for word in words_of(text))
    return " ".join(list(words)[:_MOST_STORED])


def asked_words(text: str) -> str:
    """Return a tsquery for calls that have all words of a text; "" where it has no word.

    A word of three letters or more also finds those that begin with it.

    >>> asked_words("case-b benef")
    'case:* & b & benef:*'
    """
    words = dict.fromkeys(words_of(text)[:_MOST_ASKED])
    return " & ".join(f"{word}:*" if len(word) >= _SHORTEST_BEGINNING else word for word in words)
