"""Two readings of a call side by side: only the rows that differ, each with its evidence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from catalogs.core.document import Document
from review.core.evaluation import EvidenceReport
from review.core.readings import Answer, Compared, Difference, EdgePair, ReadingKind, raw_agreement
from review.core.row_values import point_to_json
from review.core.rows import UNKNOWN
from review.core.transcript import Call
from review.presenters.hues import hues_of
from review.presenters.marks import Mark, holds_mark, verdict_mark
from review.presenters.places import ShownPoint, show_point
from review.presenters.quotes import Quote, Quotes

_OWED = {True: "required", False: "not required", None: "cannot be told"}
_MEASURES = {
    "required": "required",
    "verdict": "verdict",
    "start": "start, exact",
    "start_near": "start, within 1 turn",
    "finish": "finish, exact",
    "edge": "critical edges",
}
WHY_READ = {
    ReadingKind.DOUBLE: "The call was drawn to be read twice.",
    ReadingKind.CRITICAL: "Safety-critical rows of it were drawn to be read twice.",
    ReadingKind.SAMPLE: "Nothing was flagged, and it was drawn to be read blind.",
    ReadingKind.DRIFT: "It was signed, and drawn to be read again.",
}


@dataclass(frozen=True, slots=True)
class Side:
    """One reading of a row."""

    required: str
    start: ShownPoint
    finish: ShownPoint
    verdict: Mark
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class DifferingRow:
    """One row on which the readings differ. `named` are what in; `settled` that it is no more."""

    phase: str
    name: str
    hue: int
    named: str
    differs: frozenset[str]
    first: Side
    second: Side
    settled: bool


@dataclass(frozen=True, slots=True)
class DifferingEdge:
    """A critical edge that came out otherwise."""

    name: str
    first: Mark
    second: Mark


@dataclass(frozen=True, slots=True)
class Agreement:
    """Raw agreement in one measure."""

    name: str
    same: int
    n: int


@dataclass(frozen=True, slots=True)
class DifferencesPage:
    """The page. `first` are the names of who read first; a sampled call was read by the machine."""

    title: str
    external_id: str
    why: str
    first: str
    second: str
    rows: tuple[DifferingRow, ...]
    edges: tuple[DifferingEdge, ...]
    agreement: tuple[Agreement, ...]
    read: int
    left: int


def show_differences(
    call: Call,
    document: Document,
    kind: ReadingKind,
    compared: Compared,
    differences: Sequence[Difference],
    people: tuple[str, str],
) -> DifferencesPage:
    """Draw the differences of a reading that is done; `people` read first and second."""
    hues = hues_of(phase.id for phase in document.phases)
    quotes = Quotes(call)
    rows = tuple(_row(one, document, hues[one.pair.phase], quotes) for one in differences)
    return DifferencesPage(
        title=call.title or call.source.external_id,
        external_id=call.source.external_id,
        why=WHY_READ[kind],
        first=people[0],
        second=people[1],
        rows=rows,
        edges=tuple(_edges(compared.edges)),
        agreement=tuple(
            Agreement(_MEASURES[name], raw.same, raw.n)
            for name, raw in raw_agreement([compared]).items()
            if raw.n
        ),
        read=len(compared.pairs),
        left=sum(not row.settled for row in rows),
    )


def _row(one: Difference, document: Document, hue: int, quotes: Quotes) -> DifferingRow:
    pair = one.pair
    return DifferingRow(
        phase=pair.phase,
        name=document.phase(pair.phase).name,
        hue=hue,
        named=", ".join(pair.differs_in),
        differs=frozenset(pair.differs_in),
        first=_side(pair.first, quotes),
        second=_side(pair.second, quotes),
        settled=one.settled,
    )


def _side(said: Answer, quotes: Quotes) -> Side:
    points = (None if one is UNKNOWN else point_to_json(one) for one in (said.start, said.finish))
    start, finish = (show_point(one) for one in points)
    pieces = (EvidenceReport(*one, source="") for one in said.evidence)
    return Side(
        _OWED[said.required],
        start,
        finish,
        verdict_mark(said.verdict.value, required=said.required),
        quotes.quotes(pieces),
    )


def _edges(edges: Iterable[EdgePair]) -> Iterable[DifferingEdge]:
    for edge in edges:
        if edge.first != edge.second:
            name = f"{edge.parent} \u2192 {edge.child}"
            yield DifferingEdge(name, holds_mark(edge.first), holds_mark(edge.second))
