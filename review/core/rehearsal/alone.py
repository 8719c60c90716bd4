"""The rules of one phase, run without the rest of its catalog."""

from __future__ import annotations

from dataclasses import replace

from catalogs.core.document import Document, Phase, Required, RequiredKind
from review.core.cascade.pipeline import Cascade, Prefill, prefill, prepare
from review.core.rehearsal.hearing import Heard, heard_in
from review.core.rehearsal.mutants import Spoken, reworked
from review.core.transcript import Call


class PhaseAlone:
    """The rules of one phase, without its order, its condition and its list."""

    def __init__(self, document: Document, phase: Phase, cascade: Cascade | None = None) -> None:
        """Compile the patterns of the phase alone, unless they come with `cascade`."""
        self._starts = bool(phase.starts)
        self._id = phase.id
        self._cascade = cascade or cascade_alone(document, phase)

    def changed(self, phase: Phase, heard: Spoken | None) -> PhaseAlone:
        """Return the phase with other rules; `heard` is the matcher that changed, where one did."""
        document = _alone(self._cascade.document, phase)
        return PhaseAlone(document, phase, reworked(self._cascade, document, heard))

    def passes(self, call: Call) -> bool:
        """Say whether the phase is passed: finished, believable and not contradicted."""
        return self._filled(call).decision.phases[0].ok is True

    def entered(self, call: Call) -> bool:
        """Say whether the phase has been entered: by an anchor, where it has any."""
        row = self._filled(call).rows[self._id]
        return isinstance(row.start, int) and not (row.inferred and self._starts)

    def heard(self, call: Call) -> frozenset[Heard]:
        """Return which matchers of the phase hear something in a call, and from whom."""
        return heard_in(call, self._cascade)

    def _filled(self, call: Call) -> Prefill:
        return prefill(call, self._cascade)


def cascade_alone(document: Document, phase: Phase) -> Cascade:
    """Prepare the rules of one phase without its order, its condition and its list."""
    return prepare(_alone(document, phase))


def _alone(document: Document, phase: Phase) -> Document:
    bare = replace(
        phase, parents=(), critical=(), required=Required(RequiredKind.ALWAYS), for_each=None
    )
    return replace(document, phases=(bare,), facts={})
