"""What is looked for, and in which turns: the open items of a call, and what the catalog says of
each: the item's own sentence, and the utterances of the phase's examples that pass.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from catalogs.core.document import AcceptItem, Document, Phase
from review.core.cascade.open_items import open_items
from review.core.rows import Row
from review.core.transcript import Call, Turn, TurnKind


class Sought(NamedTuple):
    """An open item: who can show it in words, and the texts that turns are set beside."""

    phase: str
    item: str
    roles: tuple[str, ...]
    texts: tuple[str, ...]


def seek(document: Document, rows: Mapping[str, Row]) -> tuple[Sought, ...]:
    """Return what is looked for in a call, in the order of the catalog: never an item that is
    shown, and nothing of a row that is settled, contradicted or owed per element of a list.
    """
    found = []
    for phase in document.phases:
        row = rows.get(phase.id)
        for one in open_items(phase, row) if row is not None else ():
            item = next(spec for spec in phase.accept if spec.id == one.id)
            found.append(Sought(phase.id, one.id, one.roles, wording_of(phase, item)))
    return tuple(found)


def texts_of(document: Document) -> tuple[str, ...]:
    """Return all the texts that a catalog has turns set beside, each once, in its order."""
    texts: dict[str, None] = {}
    for phase in document.phases:
        for item in phase.accept:
            texts |= dict.fromkeys(wording_of(phase, item))
    return tuple(texts)


def wording_of(phase: Phase, item: AcceptItem) -> tuple[str, ...]:
    """Return the texts of one item: its own, and what is said in the examples that pass."""
    said = (words for example in phase.rubric.passing for words in _utterances(example))
    return tuple(dict.fromkeys((item.text, *said)))


#: "Rep: What is the ID? Agent: X 1.": who speaks is named before each utterance.
_SPEAKER = re.compile(r"(?:^|(?<=\s))[A-Z][A-Za-z_]{0,15}:\s+")


def _utterances(example: str) -> list[str]:
    return [words for one in _SPEAKER.split(example) if (words := one.strip())]


def said_turns(call: Call) -> tuple[Turn, ...]:
    """Return the turns that can be candidates or stand beside one: what somebody says."""
    return tuple(
        [turn for turn in call.turns if turn.kind is TurnKind.SPEECH and turn.text.strip()]
    )
