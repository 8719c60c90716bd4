"""The patterns that identifiers are found by, in RE2: linear in the text, whatever the text.

Transcripts are heard, so numbers and dates are looked for in digits and in words. What is too wide
here (every full date, every long number) hides more than a person's identifiers; what is missed is
listed in docs/privacy.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import re2

from review.core.evidence.patterns import MAX_MEMORY, matching_of
from review.core.masking.kinds import IdentifierKind

_MONTH = (
    "(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?)"
)
_ORDINAL = (
    "(?:twenty|thirty)[ -](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)"
    "|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth"
    "|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth"
    "|thirtieth"
)
_SMALL = "one|two|three|four|five|six|seven|eight|nine"
_TEENS = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_SPOKEN = rf"(?:[a-z\d]|zero|oh|{_SMALL}|{_TEENS}|{_TENS}|double|triple|dash)"
_DAY = rf"(?:{_ORDINAL}|\d{{1,2}}(?:st|nd|rd|th)?)"
_YEAR = (
    r"(?:(?:18|19|20)\d\d|'\d\d"
    "|(?:nineteen|eighteen|twenty|two thousand)"
    rf"(?:[ -](?:and|oh|hundred|{_SMALL}|{_TEENS}|{_TENS})){{1,3}}|two thousand)"
)
_GAP = "[ ,]{1,3}"
_DATE = (
    rf"{_MONTH}{_GAP}(?:the )?{_DAY}{_GAP}(?:of )?{_YEAR}"
    rf"|(?:the )?{_DAY}{_GAP}(?:of )?{_MONTH}{_GAP}(?:of )?{_YEAR}"
    r"|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}"
)
_PART_OF_DATE = (
    rf"{_MONTH}{_GAP}(?:the )?{_DAY}|(?:the )?{_DAY}{_GAP}(?:of )?{_MONTH}|{_MONTH}{_GAP}{_YEAR}"
)
_STREET = (
    "street|avenue|road|lane|drive|court|boulevard|way|place|terrace|circle|highway|parkway|square"
    "|trail|close|crescent|st|ave|rd|ln|dr|ct|blvd|pl|hwy|pkwy"
)
#: A capital letter begins a name; it may have marks, an apostrophe or a hyphen.
NAME_WORD = r"\p{Lu}[\p{L}\p{M}'\x{2019}\-]*[\p{L}\p{M}]"
_INITIAL = r"\p{Lu}\."
_NAME = rf"{NAME_WORD}(?: (?:{NAME_WORD}|{_INITIAL}))" "{0,3}"
_TITLE = r"(?:[Dd]octor|[Nn]urse|[Pp]rofessor|Miss|Mister|(?:Dr|Mr|Mrs|Ms|Prof)\.?)"
_OF_NUMBER = (
    "member|subscriber|policy|account|group|claim|reference|confirmation|case|patient"
    "|medical record|record|card|plan|customer|beneficiary|medicare|medicaid|prescription|license"
    "|tracking|serial"
)

#: Whole matches, by what they find.
WHOLE: Mapping[str, str] = {
    "email": r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+",
    "spoken_email": r"(?i)[\w.+-]+(?: (?:dot|underscore|dash) [\w-]+){0,3} at [\w-]+"
    r"(?: dot [\w-]+){0,2} dot (?:com|org|net|edu|gov|health|io|us|uk|de)\b",
    "web": r"(?i)\b(?:https?://|www\.)[^\s<>]+",
    "date": rf"(?i)\b(?:{_DATE})\b",
    "part_of_date": rf"(?i)\b(?:{_PART_OF_DATE})\b",
    "digits": r"(?:\(\d{3}\) ?|\+?\d)(?:[ .\-/]?\d){4,}",
    "token": r"\b(?:[A-Za-z]+[-_/])*[A-Za-z]*\d[A-Za-z0-9]*(?:[-_/][A-Za-z0-9]+)*\b",
    "spoken": rf"(?i)\b{_SPOKEN}(?:[ ,.\-]{{1,3}}(?:as in [a-z]+[ ,.\-]{{1,3}})?{_SPOKEN}\b){{2,}}",
    "address": rf"(?i)\b\d{{1,6}}[a-z]? (?:[nsew]\.? |north |south |east |west )?"
    rf"(?:[\p{{L}}\d'\x{{2019}}.-]+ ){{1,4}}(?:{_STREET})\b\.?"
    r"(?:,? (?:apartment|apt|unit|suite|number|no|#)\.? ?\w+)?",
    "po_box": r"(?i)\bp\.? ?o\.? box \w+",
    "age": r"(?i)\b(?:9\d|1[0-2]\d)[- ](?:years?[- ]old|years? of age)\b"
    rf"|\bninety(?:[ -](?:{_SMALL}))?[ -]years?[ -](?:old|of age)\b",
}
#: Matches whose one group is the identifier.
CUED: Mapping[str, str] = {
    "name": r"(?:(?i:names? is|name's|name was|patient is|member is|caller is|speaking (?:with|to)|"
    r"speak (?:with|to)|talk to|talking to|this is|i am|i'm|i\x{2019}m|known as|last initial|"
    rf"first name|last name|surname|asked for),? ){_TITLE}? ?({_NAME}|\p{{Lu}}\b)",
    "titled": rf"\b{_TITLE} ({_NAME})",
    "born": rf"({NAME_WORD}(?: {NAME_WORD})" r"{1,3}),? (?:was )?(?:born|date of birth)\b",
    "number": rf"(?i)\b(?:{_OF_NUMBER})(?: (?:id|number|no\.?|code))?(?: is| was|:|,)? "
    r"([a-z]{0,4}-?\d[\da-z]*(?:-[\da-z]+)*)",
}
#: What makes the next turn, or the same, speak of a birth or give a name.
ASKS: Mapping[str, str] = {
    "birth": r"(?i)\b(?:born|birth|birthday|birthdate|d\.?o\.?b)\b",
    "name": r"(?i)\b(?:names?|speaking (?:with|to)|who am i)\b",
}
#: A run of capitalised words, and one alone at the beginning: names where a name was asked for.
ANSWERED: Mapping[str, str] = {
    "run": rf"({NAME_WORD}(?: (?:{NAME_WORD}|{_INITIAL}))" "{1,3})",
    "said": r"(?i:it is|it's|it\x{2019}s|that is|that's|called|yes|sure|okay|is),? " rf"({_NAME})",
    "first": rf"^\s*({NAME_WORD})(?:[,.;!?]|\s*$)",
}
KINDS: Mapping[str, IdentifierKind] = {
    "email": IdentifierKind.EMAIL,
    "spoken_email": IdentifierKind.EMAIL,
    "web": IdentifierKind.WEB,
    "address": IdentifierKind.ADDRESS,
    "po_box": IdentifierKind.ADDRESS,
    "age": IdentifierKind.AGE,
}

_EVERY = {**WHOLE, **CUED, **{f"asks_{name}": one for name, one in ASKS.items()}, **ANSWERED}
#: The names of all patterns, in the order of their numbers.
NAMES = tuple(_EVERY)


def compiled(pattern: str) -> Any:
    """Compile one pattern as all of these are. Raises re2.error."""
    options = re2.Options()
    options.max_mem = MAX_MEMORY
    return re2.compile(pattern.encode("utf-8"), options)


def _all_matching() -> Any:
    options = re2.Options()
    options.max_mem = MAX_MEMORY
    return matching_of(list(_EVERY.values()), options)


SINGLES = {name: compiled(pattern) for name, pattern in _EVERY.items()}
#: Gives the numbers of all patterns that occur in a text (UTF-8).
MATCHING = _all_matching()
