"""The page of a blind reading: the rubric and the words of the call, and nothing that was found.

It is drawn from the catalog, the transcript and the reader's own answers. No report, row, flag,
decision or edge comes near it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from catalogs.core.document import Document, Phase
from review.core.transcript import Call
from review.presenters.hues import hues_of
from review.presenters.marks import CONFIRMED, NEUTRAL, Mark
from review.presenters.rows import Rubric, rubric_of
from review.presenters.transcript import Transcript, show_transcript

_OPEN = Mark(NEUTRAL, "not answered", "muted")
_ANSWERED = Mark(CONFIRMED.sign, "answered", CONFIRMED.tone)


@dataclass(frozen=True, slots=True)
class BlindRow:
    """One row in the catalog's order: whether the reader has answered it, and if it is chosen."""

    phase: str
    name: str
    hue: int
    mark: Mark
    chosen: bool


@dataclass(frozen=True, slots=True)
class BlindPage:
    """The page; `chosen` is the row whose form is shown, `following` the next one to answer."""

    title: str
    external_id: str
    turn_count: int
    rows: tuple[BlindRow, ...]
    answered: int
    chosen: str
    name: str
    rubric: Rubric
    items: tuple[tuple[str, str], ...]
    transcript: Transcript

    @property
    def is_complete(self) -> bool:
        """Whether every row is answered."""
        return self.answered == len(self.rows)


def show_blind(
    call: Call, document: Document, phases: Sequence[str], answered: Collection[str], asked: str
) -> BlindPage:
    """Draw a reading of these phases with the row `asked` for, else the first that is open."""
    hues = hues_of(phase.id for phase in document.phases)
    chosen = asked if asked in phases else next_open(phases, answered, "")
    spec = document.phase(chosen)
    return BlindPage(
        title=call.title or call.source.external_id,
        external_id=call.source.external_id,
        turn_count=len(call.turns),
        rows=tuple(
            _row(document.phase(phase), hues[phase], phase in answered, phase == chosen)
            for phase in phases
        ),
        answered=sum(phase in answered for phase in phases),
        chosen=chosen,
        name=spec.name,
        rubric=rubric_of(spec),
        items=tuple((one.id, one.text) for one in spec.accept),
        transcript=show_transcript(call, (), {}),
    )


def next_open(phases: Sequence[str], answered: Collection[str], after: str) -> str:
    """Return the next row to answer after one, going round; the first where none is open."""
    at = phases.index(after) + 1 if after in phases else 0
    turned = (*phases[at:], *phases[:at])
    return next((phase for phase in turned if phase not in answered), phases[0])


def _row(spec: Phase, hue: int, is_answered: bool, is_chosen: bool) -> BlindRow:  # noqa: FBT001
    mark = _ANSWERED if is_answered else _OPEN
    return BlindRow(spec.id, spec.name, hue, mark, is_chosen)
