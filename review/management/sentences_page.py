"""The reference page that says how many of the example sentences the shipped catalogs recognise."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import review
from catalogs.core.document import load_document
from catalogs.shipped import SHIPPED_CATALOGS
from review.core.rehearsal import Sentences, load_sentences
from review.core.rehearsal.examples import NEAR_MISSES, SATISFIES, STARTS, count_examples

#: Counted once, with the catalogs as they were before anybody had seen the sentences.
_BEFORE = Path(review.__file__).parent.parent / "docs" / "reference" / "sentences_before.json"
#: Catalogs without sentences of their own, and whose they are read with.
_SHARED = {"benefits_verification_paper": "benefits_verification"}

_PREFACE = (
    "The sentences in `catalogs/shipped/sentences` were written without sight of the patterns: for",
    "every phase some that begin it, some that satisfy it, and near misses that must not. *Before*",
    "counts what the catalogs recognised then, as it was recorded. The patterns were widened",
    "afterwards, with the sentences in sight. So *after* is a fit to sentences that the authors of",
    "the patterns knew. It is no measure of how much they recognise on calls that nobody has seen:",
    "expect less there. Some near misses were added by those authors, so there are more than at",
    "first. A sentence that the rules of a phase cannot tell is kept under `beyond_rules`, counted",
    "nowhere in the tables, and left to people.",
)
_HEAD = (
    "| phase | starts before | after | satisfies before | after | passing near misses | after |",
    "| --- | --- | --- | --- | --- | --- | --- |",
)


class Counts(NamedTuple):
    """How a phase's sentences come out: recognised and all, and the near misses that pass."""

    starts: tuple[int, int]
    satisfies: tuple[int, int]
    near_misses_passing: int
    near_misses: int


@cache
def count_shipped() -> Mapping[str, Mapping[str, Counts]]:
    """Count the sentences of every shipped catalog, by the name of its file and by phase."""
    return {path.stem: _counted(path) for path in SHIPPED_CATALOGS}


def total_of(counts: Iterable[Counts]) -> Counts:
    """Add up the counts of phases."""
    rows = tuple(counts)
    return Counts(
        _sum(row.starts for row in rows),
        _sum(row.satisfies for row in rows),
        sum(row.near_misses_passing for row in rows),
        sum(row.near_misses for row in rows),
    )


def sentences_page(made: str) -> str:
    """Write the page; `made` is the line that says where it comes from."""
    lines = ["# What the shipped catalogs recognise", "", made, "", *_PREFACE, ""]
    before = _recorded()
    for stem, after in count_shipped().items():
        lines += [f"## {stem}", ""]
        if stem in _SHARED:
            lines += [f"Read with the sentences of {_SHARED[stem]}: the same phases.", ""]
        lines += [*_HEAD, *_rows(before[stem], after), ""]
        beyond = _sentences_of(stem).beyond_rules
        lines += [f"Beyond the rules: {beyond}.", ""] if beyond else []
    return "\n".join(lines)


def _counted(path: Path) -> Mapping[str, Counts]:
    document, findings = load_document(path.read_bytes())
    if document is None:
        raise ValueError(f"{path.name} cannot be read: {findings[0].text}")
    found = {
        (one.phase, one.kind): (one.met, one.met + one.missed)
        for one in count_examples(document, _sentences_of(path.stem))
    }
    counts = {}
    for phase in document.phases:
        starts, satisfies, (missing, near) = (
            found.get((phase.id, kind.name), (0, 0)) for kind in (STARTS, SATISFIES, NEAR_MISSES)
        )
        counts[phase.id] = Counts(starts, satisfies, near - missing, near)
    return counts


def _sentences_of(stem: str) -> Sentences:
    path = SHIPPED_CATALOGS[0].parent / "sentences" / f"{_SHARED.get(stem, stem)}.yaml"
    sentences, findings = load_sentences(path.read_bytes())
    if sentences is None:
        raise ValueError(f"{path.name} cannot be read: {findings[0].text}")
    return sentences


def _recorded() -> Mapping[str, Mapping[str, Counts]]:
    plain = json.loads(_BEFORE.read_text(encoding="utf-8"))
    return {
        stem: {
            phase: Counts(
                (row["starts"][0], row["starts"][1]),
                (row["satisfies"][0], row["satisfies"][1]),
                row["near_misses_passing"],
                near_misses=0,  # how many there were was not recorded
            )
            for phase, row in phases.items()
        }
        for stem, phases in plain.items()
    }


def _rows(before: Mapping[str, Counts], after: Mapping[str, Counts]) -> Iterator[str]:
    for phase, counts in after.items():
        yield _row(phase, before[phase], counts)
    yield _row("all", total_of(before.values()), total_of(after.values()))


def _row(name: str, before: Counts, after: Counts) -> str:
    cells = (
        name,
        _share(before.starts),
        _share(after.starts),
        _share(before.satisfies),
        _share(after.satisfies),
        str(before.near_misses_passing),
        _share((after.near_misses_passing, after.near_misses)),
    )
    return f"| {' | '.join(cells)} |"


def _share(counted: tuple[int, int]) -> str:
    return f"{counted[0]} of {counted[1]}"


def _sum(pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
    rows = tuple(pairs)
    return sum(met for met, _ in rows), sum(every for _, every in rows)
