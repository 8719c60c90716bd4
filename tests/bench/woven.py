"""Calls woven of the sentences beside the shipped catalogs: a dialogue for each phase, in order.

They were written to try the patterns out, so the patterns know them; the rubrics, which is all that
wording is set beside, do not. Each phase's own turns are the right ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import catalogs.shipped
from catalogs.core.document import Document, load_document
from catalogs.shipped import SHIPPED_CATALOGS
from review.core.rehearsal.companion import load_sentences
from review.core.rehearsal.dialogue import dialogue, labels_of
from review.core.transcript import Turn

_SENTENCES = Path(catalogs.shipped.__file__).parent / "sentences"
#: Every list of sentences has so many at least.
_CALLS = 10


class Woven(NamedTuple):
    """A call of a catalog, and the turns of each phase's dialogue."""

    document: Document
    turns: tuple[Turn, ...]
    right: dict[str, range]


def woven_calls() -> Iterator[Woven]:
    """Yield ten calls for each shipped catalog that has sentences; of two versions the newer."""
    for path in SHIPPED_CATALOGS:
        beside = _SENTENCES / path.name
        if not beside.exists() or path.stem.endswith("_v1"):
            continue
        document, _ = load_document(path.read_bytes())
        sentences, _ = load_sentences(beside.read_bytes())
        assert document is not None
        assert sentences is not None
        for number in range(_CALLS):
            yield _weave(
                document,
                {
                    phase.id: said[number % len(said)]
                    for phase in document.phases
                    if (said := sentences.of(phase.id, "satisfies"))
                },
            )


def _weave(document: Document, said: dict[str, str]) -> Woven:
    labels = labels_of(document)
    turns: list[Turn] = []
    right: dict[str, range] = {}
    for phase, text in said.items():
        first = len(turns) + 1
        own = dialogue(text, labels).turns
        turns += [replace(turn, number=first + place) for place, turn in enumerate(own)]
        right[phase] = range(first, len(turns) + 1)
    return Woven(document, tuple(turns), right)
