"""Identifiers that a call itself gives as such: by the name of an attribute or of an argument of a
tool, or as the label of a speaker.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from review.core.transcript import Speaker


def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())


_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_OF_NAMES = frozenset({"name", "names", "surname", "firstname", "lastname", "fullname"})
_OF_PEOPLE = _split(
    """
    patient member subscriber caller consumer customer beneficiary dependent person
    """
)
_OF_NUMBERS = _split(
    """
    dob birth birthday birthdate phone mobile telephone email mail address street city zip
    postcode ssn mrn account policy card iban ip
    """
)
_NOT_OF_PEOPLE = _split(
    """
    drug medication plan file form field screen tool event product type kind catalog option
    template section status
    """
)
#: Labels are roles more often than names: a label with one of these is none.
_ROLE_WORDS = _split(
    """
    agent ai assistant automated bot caller callee care clerk clinician collector consumer
    customer desk doctor employee family gp guest hold human insurance interpreter interviewer
    ivr line machine manager medical member menu music narrator nurse office officer operator
    other parent party patient payer person pharmacist pharmacy phone physician plan provider
    queue receptionist rep representative respondent sales side specialist speaker staff
    subscriber supervisor support system team tech the tool unknown user voice
    """
)
_TITLES = frozenset(["dr", "doctor", "mr", "mrs", "ms", "miss", "prof", "professor", "nurse"])
_LABEL_WORD = re.compile(r"[^\W\d_]\S*")
_PARENTHESIS = re.compile(r"\([^)]*\)")
_MOST_LABEL_WORDS = 4
_FEWEST_CHARACTERS = 3


def is_personal(key: str) -> bool:
    """Say whether the value under a key is an identifier, by the words of the key.

    >>> is_personal("member_id"), is_personal("planName"), is_personal("patientName")
    (True, False, True)
    """
    parts = {part.lower() for part in _PART.findall(key)}
    if parts & _NOT_OF_PEOPLE and not parts & _OF_PEOPLE:
        return False
    return bool(parts & (_OF_NAMES | _OF_PEOPLE | _OF_NUMBERS))


def personal_texts(plain: object, *, personal: bool = False) -> Iterator[str]:
    """Yield the texts under keys of identifiers, however deep."""
    match plain:
        case Mapping():
            for key, value in plain.items():
                yield from personal_texts(value, personal=personal or is_personal(str(key)))
        case list() | tuple():
            for value in plain:
                yield from personal_texts(value, personal=personal)
        case str() if personal and len(plain.strip()) >= _FEWEST_CHARACTERS:
            yield plain.strip()
        case int() if personal and not isinstance(plain, bool) and len(str(plain)) > 4:
            yield str(plain)
        case _:
            return


def names_of_speakers(speakers: Iterable[Speaker]) -> Iterator[str]:
    """Yield the labels that are names of people and not of roles."""
    for speaker in speakers:
        name = name_in_label(speaker.label)
        if name and name.lower() not in (speaker.role, speaker.stated):
            yield name


def name_in_label(label: str) -> str:
    """Return the name in a speaker's label, without title and parenthesis; empty for a role.

    >>> name_in_label("Dr. Rosalind Hartwell (clinic)"), name_in_label("Payer representative")
    ('Rosalind Hartwell', '')
    """
    words = _LABEL_WORD.findall(_PARENTHESIS.sub(" ", label))
    plain = [word.strip(".,:;").lower() for word in words]
    while plain and plain[0] in _TITLES:
        del words[0], plain[0]
    is_name = 0 < len(words) <= _MOST_LABEL_WORDS and all(_may_be_name(word) for word in words)
    return " ".join(words).strip(".,:; ") if is_name and not set(plain) & _ROLE_WORDS else ""


def _may_be_name(word: str) -> bool:
    # A script without capitals has no lower case either.
    return not word[0].islower() and not (word.isupper() and len(word) > 1 and word.isascii())
