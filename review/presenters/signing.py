"""The signing page: what is signed, by whom, and what is in the way."""

from __future__ import annotations

from dataclasses import dataclass, replace

from catalogs.core.document import Document
from review.core.evaluation import Report
from review.core.masking import Masker
from review.core.signoff.content import SignedContent
from review.core.signoff.readiness import Obstacle, Review
from review.core.signoff.record import STATEMENT
from review.core.signoff.screen import screen_digest
from review.presenters.banner import Tile, show_banner
from review.presenters.deciding import STANDINGS
from review.presenters.marks import Mark, verdict_mark
from review.presenters.places import ShownPoint, show_point
from review.presenters.requirement import value_words

_REQUIRED = {True: "required", False: "not required", None: "required? not known"}


@dataclass(frozen=True, slots=True)
class SignedRow:
    """One row as it is signed; `turns` are those of its evidence."""

    phase: str
    name: str
    standing: Mark
    required: str
    start: ShownPoint
    finish: ShownPoint
    verdict: Mark
    turns: str


@dataclass(frozen=True, slots=True)
class SignedFact:
    """One fact as it is signed."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class ToSign:
    """What a signature would be over, word for word as the signer reads it."""

    review: int
    catalog: str
    tiles: tuple[Tile, ...]
    rows: tuple[SignedRow, ...]
    facts: tuple[SignedFact, ...]
    digest: str
    decisions: int
    statement: str
    obstacles: tuple[Obstacle, ...]


def show_to_sign(
    content: SignedContent,
    report: Report,
    review: Review,
    document: Document,
    obstacles: tuple[Obstacle, ...],
) -> ToSign:
    """Draw what is signed."""
    return ToSign(
        review=content.review,
        catalog=f"{content.catalog_slug} {content.catalog_version}",
        tiles=show_banner(report, document, ()).tiles,
        rows=tuple(
            SignedRow(
                phase=row.phase,
                name=row.name,
                standing=STANDINGS[review.rows[row.phase].shown.standing.value],
                required=_REQUIRED[row.required],
                start=_bare(show_point(row.start)),
                finish=_bare(show_point(row.finish)),
                verdict=verdict_mark(row.verdict, required=row.required),
                turns=", ".join(str(turn) for turn in sorted({one.turn for one in row.evidence})),
            )
            for row in report.rows
        ),
        facts=tuple(SignedFact(name, value_words(value)) for name, value in review.facts.items()),
        digest=screen_digest(content),
        decisions=content.decisions,
        statement=STATEMENT,
        obstacles=obstacles,
    )


def mask_to_sign(shown: ToSign, masker: Masker) -> ToSign:
    """Return what is signed as it is shown where the site masks identifiers."""
    facts = tuple(SignedFact(one.name, masker.text(one.value)) for one in shown.facts)
    return replace(shown, facts=facts)


def _bare(point: ShownPoint) -> ShownPoint:
    """The transcript is on another page: nothing here to link to."""
    return ShownPoint(point.text, None, point.spoken)
