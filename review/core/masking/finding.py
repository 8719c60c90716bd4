"""The finder: which stretches of a text are identifiers of people."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import re2
import regex

from review.core.evidence.words import SearchedText, Span
from review.core.masking import patterns
from review.core.masking.kinds import Identifier, IdentifierKind, merged
from review.core.masking.sorting import (
    NO_NAMES,
    is_number_token,
    is_spoken_number,
    kind_of_digits,
    spelt_word,
)
from review.core.transcript import Turn, TurnKind

_UNIT = regex.compile(r"\X")
_FEWEST_CHARACTERS = 3
_NAME_PATTERNS = (*("name", "titled", "born"), *patterns.ANSWERED)
_NOTHING: frozenset[str] = frozenset()
#: What a turn has that asks for something, heard with punctuation or without.
_ASKING = ("?", "please", "what is", "what's", "may i", "can i", "confirm", "verify", "need")
#: Turns that an answer may be away from what asked for it.
_REACH = 2


@dataclass(frozen=True, slots=True)
class Heard:
    """What a whole call says before it is read closely: the names that are given as such, and for
    each turn what it or a turn just before it asks for ("birth", "name").
    """

    names: tuple[str, ...]
    asked: Mapping[int, frozenset[str]]


class Finder:
    """Finds identifiers: by patterns, and those that are known of this call word for word."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        """Compile what is known: a text whole in any case, each of its words as it is written.

        A single word is found as it is written alone: a name may be a word of the language too.
        """
        every = {unicodedata.normalize("NFC", one) for one in known if one.strip()}
        words = {word for one in every for word in _words(one)}
        texts = {one for one in every if not one.isalpha()}
        words |= every - texts
        self._spelt = frozenset(word.lower() for word in words)
        self._known = [_any_of(texts, in_any_case=True), _any_of(words, in_any_case=False)]

    def find(self, text: str, asked: frozenset[str] = _NOTHING) -> tuple[Identifier, ...]:
        """Return the identifiers in a text, in order and apart, whole characters each.

        `asked` is what the text may answer. Linear in the length of the text.
        """
        if not text:
            return ()
        searched = SearchedText(text)
        present = {patterns.NAMES[number] for number in patterns.MATCHING(searched.encoded)}
        found = [
            *self._whole(text, searched, present, asked),
            *_cued(text, searched, present, asked),
            *self._named(text, searched),
        ]
        if not found:
            return ()
        return merged(found if text.isascii() else _whole_characters(text, found))

    def _named(self, text: str, searched: SearchedText) -> Iterator[Identifier]:
        for pattern in self._known:
            if pattern is not None:
                for start, end in searched.spans(pattern, every=True):
                    if _stands_alone(text, start, end):
                        yield Identifier(start, end, IdentifierKind.NAME)

    def _whole(
        self, text: str, searched: SearchedText, present: set[str], asked: frozenset[str]
    ) -> Iterator[Identifier]:
        is_birth = "birth" in asked or "asks_birth" in present
        for name in present & patterns.WHOLE.keys():
            if name == "part_of_date" and not is_birth:
                continue
            for start, end in searched.spans(patterns.SINGLES[name], every=True):
                kind = self._kind(name, text, (start, end), is_birth=is_birth)
                if kind is not None:
                    yield Identifier(start, end, kind)

    def _kind(self, name: str, text: str, span: Span, *, is_birth: bool) -> IdentifierKind | None:
        run = text[span[0] : span[1]]
        match name:
            case "date" | "part_of_date":
                return IdentifierKind.BIRTH if is_birth else IdentifierKind.DATE
            case "digits":
                return kind_of_digits(text, *span)
            case "token":
                is_amount = text[max(0, span[0] - 1) : span[0]] in tuple("$€£¥.,")
                return IdentifierKind.NUMBER if is_number_token(run) and not is_amount else None
            case "spoken":
                if spelt_word(run) in self._spelt:
                    return IdentifierKind.NAME
                return IdentifierKind.NUMBER if is_spoken_number(run) else None
            case _:
                return patterns.KINDS[name]


def hear(turns: Sequence[Turn]) -> Heard:
    """Read a call once for what asks for names and births, and for the names that are given."""
    asked: dict[int, frozenset[str]] = {}
    names: dict[str, None] = {}
    recent: list[frozenset[str]] = []
    for turn in turns:
        if turn.kind not in (TurnKind.SPEECH, TurnKind.IVR, TurnKind.OTHER) or not turn.text:
            continue
        searched = SearchedText(turn.text)
        present = {patterns.NAMES[number] for number in patterns.MATCHING(searched.encoded)}
        wanted = frozenset().union(*recent)
        if wanted:
            asked[turn.number] = wanted
        for one in _cued(turn.text, searched, present, wanted):
            if one.kind is IdentifierKind.NAME:
                names[turn.text[one.start : one.end]] = None
        own = frozenset(name for name in patterns.ASKS if f"asks_{name}" in present)
        recent = [*recent, own if _is_question(turn.text) else _NOTHING][-_REACH:]
    return Heard(tuple(names), asked)


def _is_question(text: str) -> bool:
    plain = text.lower()
    return any(sign in plain for sign in _ASKING)


def _cued(
    text: str, searched: SearchedText, present: set[str], asked: frozenset[str]
) -> Iterator[Identifier]:
    if "number" in present:
        for start, end in searched.values(patterns.SINGLES["number"]):
            if any(char.isdecimal() for char in text[start:end]):
                yield Identifier(start, end, IdentifierKind.NUMBER)
    for name in _NAME_PATTERNS:
        if name not in present or (name in patterns.ANSWERED and "name" not in asked):
            continue
        for span in searched.values(patterns.SINGLES[name]):
            start, end = _without_other_words(text, *span)
            if start < end:
                yield Identifier(start, end, IdentifierKind.NAME)


def _without_other_words(text: str, start: int, end: int) -> Span:
    """Leave out words at both ends that are no names; an empty span where nothing is left."""
    places: dict[int, str] = {}
    at = start
    for word in text[start:end].split(" "):
        if word:
            places[at] = word
        at += len(word) + 1
    while places and _is_no_name(next(iter(places.values()))):
        del places[next(iter(places))]
    while places and _is_no_name(places[max(places)]):
        del places[max(places)]
    if not places:
        return start, start
    last = max(places)
    return min(places), last + len(places[last])


def _is_no_name(word: str) -> bool:
    return word.strip(".,'\u2019-").lower() in NO_NAMES


def _words(name: str) -> Iterator[str]:
    """Yield the words of a name that tell who it is."""
    for word in name.replace(",", " ").split():
        plain = word.strip(".'\u2019-")
        if len(plain) >= _FEWEST_CHARACTERS and not _is_no_name(plain):
            yield plain
            if plain[0].isupper():
                yield plain.upper()


def _any_of(texts: set[str], *, in_any_case: bool) -> Any:
    """Compile what finds any of these texts; None for no text."""
    long_enough = sorted(one for one in texts if len(one) >= 2)
    if not long_enough:
        return None
    # The longest first: of two names that begin alike the longer is masked whole.
    every = "|".join(re2.escape(one) for one in sorted(long_enough, key=len, reverse=True))
    return patterns.compiled(f"(?i:{every})" if in_any_case else f"(?:{every})")


def _stands_alone(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (before.isalnum() and text[start].isalnum()) and not (
        after.isalnum() and text[end - 1].isalnum()
    )


def _whole_characters(text: str, found: Sequence[Identifier]) -> list[Identifier]:
    """Widen identifiers to whole characters as people see them."""
    edges = [*(unit.start() for unit in _UNIT.finditer(text)), len(text)]
    return [
        Identifier(
            edges[bisect_right(edges, one.start) - 1], edges[bisect_left(edges, one.end)], one.kind
        )
        for one in found
    ]
