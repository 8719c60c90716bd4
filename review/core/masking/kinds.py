"""What kinds of identifiers there are, and one of them in a text."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class IdentifierKind(Enum):
    """What an identifier is; where two overlap, the one that stands earlier here names both."""

    EMAIL = "email"
    SSN = "ssn"
    CARD = "card"
    BIRTH = "birth"
    DATE = "date"
    PHONE = "phone"
    ADDRESS = "address"
    NUMBER = "number"
    NAME = "name"
    WEB = "web"
    AGE = "age"


#: What each kind is called, for one and for several.
WORDS = {
    IdentifierKind.EMAIL: ("e-mail address", "e-mail addresses"),
    IdentifierKind.SSN: ("social security number", "social security numbers"),
    IdentifierKind.CARD: ("card number", "card numbers"),
    IdentifierKind.BIRTH: ("date of birth", "dates of birth"),
    IdentifierKind.DATE: ("date", "dates"),
    IdentifierKind.PHONE: ("phone number", "phone numbers"),
    IdentifierKind.ADDRESS: ("address", "addresses"),
    IdentifierKind.NUMBER: ("number of a person or an account", "numbers of people or accounts"),
    IdentifierKind.NAME: ("name", "names"),
    IdentifierKind.WEB: ("web address", "web addresses"),
    IdentifierKind.AGE: ("age over 89", "ages over 89"),
}
_RANKS = {kind: rank for rank, kind in enumerate(IdentifierKind)}


class Identifier(NamedTuple):
    """One identifier in a text: [start, end) in code points."""

    start: int
    end: int
    kind: IdentifierKind


def merged(found: list[Identifier]) -> tuple[Identifier, ...]:
    """Return identifiers in their order, those that overlap or touch as one.

    >>> merged([Identifier(4, 9, IdentifierKind.NAME), Identifier(0, 5, IdentifierKind.SSN)])
    (Identifier(start=0, end=9, kind=<IdentifierKind.SSN: 'ssn'>),)
    """
    joined: list[Identifier] = []
    for one in sorted(found, key=lambda one: (one.start, one.end)):
        last = joined[-1] if joined else None
        if last is None or one.start >= last.end:
            joined.append(one)
            continue
        kind = min(last.kind, one.kind, key=_RANKS.__getitem__)
        joined[-1] = Identifier(last.start, max(last.end, one.end), kind)
    return tuple(joined)
