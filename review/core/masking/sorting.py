"""Which of the runs of digits, of spoken digits and of capitals are identifiers, and which kind."""

from __future__ import annotations

import re

from review.core.masking.kinds import IdentifierKind


def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())


_FEWEST_DIGITS = 5
_SSN = re.compile(r"\d{3}[- ]\d{2}[- ]\d{4}")
_CARD = (13, 19)
_PHONE = (10, 15)
_LOCAL_PHONE = re.compile(r"\d{3}[-. ]\d{4}")
_CURRENCY = ("$", "€", "£", "¥")
_LOOK_BACK = 12
_WORD = re.compile(r"[A-Za-z]+|\d+")
_DIGIT_WORDS = _split(
    """
    zero oh one two three four five six seven eight nine ten eleven twelve thirteen fourteen
    fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty
    ninety double triple
    """
)
#: Words with a capital that are no name where they stand: at a beginning, or in an answer.
NO_NAMES = _split(
    """
    a all am an and any are at birth born but bye call can congratulations could date did do
    doctor does english for from good goodbye great had has have hello hey hi his her how i if
    in insurance is it its let like madam maam ma'am may medicaid medicare member mhm mm mr
    mrs ms my name no not now nurse of oh ok okay on one or our patient perfect please
    pharmacy plan part provider representative right sir so sorry spanish sure thank thanks
    that thats that's the then there they this to two uh um wait we well were what what's when
    where which who why will would yeah yep yes you your january february march april may june
    july august september october november december monday tuesday wednesday thursday friday
    saturday sunday zero one two three four five six seven eight nine ten first second third
    """
)


def kind_of_digits(text: str, start: int, end: int) -> IdentifierKind | None:
    """Return what a run of digits is; None for an amount of money, or too few digits."""
    run = text[start:end]
    digits = "".join(char for char in run if char.isdecimal())
    if len(digits) < _FEWEST_DIGITS:
        return IdentifierKind.PHONE if _LOCAL_PHONE.fullmatch(run) else None
    if _is_money(text[max(0, start - _LOOK_BACK) : start]) and " " not in run:
        return None
    if _SSN.fullmatch(run):
        return IdentifierKind.SSN
    if _CARD[0] <= len(digits) <= _CARD[1] and _passes_luhn(digits):
        return IdentifierKind.CARD
    separated = any(char in "-. ()" for char in run) or run.startswith("+")
    if _LOCAL_PHONE.fullmatch(run) or (separated and _PHONE[0] <= len(digits) <= _PHONE[1]):
        return IdentifierKind.PHONE
    return IdentifierKind.NUMBER


def _is_money(before: str) -> bool:
    return before.rstrip(" 0123456789.,").endswith(_CURRENCY)


def is_number_token(token: str) -> bool:
    """Say whether a word of letters and digits is a number of something: ZZT000417, LMH-88-204.

    A dose or a code of a service has fewer digits, or begins with them: 500mg, J0135.
    """
    digits = sum(char.isdecimal() for char in token)
    letters = sum(char.isalpha() for char in token)
    return digits >= _FEWEST_DIGITS or (digits >= 3 and letters >= 2 and token[0].isalpha())


def is_spoken_number(run: str) -> bool:
    """Say whether a run of letters and number words spells a number out.

    >>> (
    ...     is_spoken_number("Z Z T, zero zero zero"),
    ...     is_spoken_number("a one"),
    ...     is_spoken_number("S T"),
    ... )
    (True, False, False)
    """
    words = [word.lower() for word in _WORD.findall(run)]
    digits = sum(1 for word in words if word in _DIGIT_WORDS or word.isdecimal())
    spelt = sum(1 for word in words if len(word) == 1 and word.isalpha())
    return digits >= 3 or (digits >= 1 and digits + spelt >= 4)


def spelt_word(run: str) -> str:
    """Return the word that a run spells letter by letter, in lower case; empty for any other run.

    >>> spelt_word("R, O, W, A, N")
    'rowan'
    """
    words = _WORD.findall(run)
    return "".join(words).lower() if all(len(one) == 1 and one.isalpha() for one in words) else ""


def _passes_luhn(digits: str) -> bool:
    total = 0
    for place, char in enumerate(reversed(digits)):
        value = int(char) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0
