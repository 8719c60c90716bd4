"""A merged catalog phase by phase: which are the base's, which are tightened, which are added."""

from __future__ import annotations

from dataclasses import dataclass

from catalogs.core.document import Document, Phase
from catalogs.core.document.origin import Origin, origin_of
from catalogs.core.linter.bump import decisive
from catalogs.presenters.version_words import plural
from catalogs.queries.overlays import OverlayLine


@dataclass(frozen=True, slots=True)
class MergedPhase:
    """One phase of a merged catalog; `more` says what the overlay asks of it."""

    id: str
    name: str
    origin: str
    tone: str
    more: str


@dataclass(frozen=True, slots=True)
class Merged:
    """A merged catalog beside its base. `newer` is the number of a newer base, empty for none."""

    base: str
    base_slug: str
    base_version: str
    base_digest: str
    sites: str
    summary: str
    phases: tuple[MergedPhase, ...]
    newer: str = ""


def show_merged(
    document: Document | None, base: Document | None = None, line: OverlayLine | None = None
) -> Merged | None:
    """Draw a merged document; None for one that was written whole, and for none."""
    origin = origin_of(document) if document is not None else None
    if document is None or origin is None:
        return None
    before = {phase.id: phase for phase in base.phases} if base is not None else {}
    phases = tuple(_phase(phase, origin, before.get(phase.id)) for phase in document.phases)
    tightened = sum(1 for one in phases if one.origin == "tightened")
    return Merged(
        base=f"{origin.base_slug} {origin.base_version}",
        base_slug=origin.base_slug,
        base_version=origin.base_version,
        base_digest=origin.base_digest,
        sites=", ".join(origin.sites),
        summary=(
            f"{plural(len(phases), 'phase')}: {len(origin.phases)} added, {tightened} tightened, "
            f"{len(phases) - len(origin.phases) - tightened} as in the base"
        ),
        phases=phases,
        newer=line.newer if line is not None else "",
    )


def _phase(phase: Phase, origin: Origin, before: Phase | None) -> MergedPhase:
    if phase.id in origin.phases:
        return MergedPhase(phase.id, phase.name, "added", "pass", "")
    more = [f"item {item}" for item in origin.items.get(phase.id, ())]
    more += [f"critical edge from {parent}" for parent in origin.edges.get(phase.id, ())]
    if before is not None:
        now, then = decisive(phase), decisive(before)
        said = {"accept", "critical_parents"}
        more += [key for key in now if key not in said and now[key] != then[key]]
    if more:
        return MergedPhase(phase.id, phase.name, "tightened", "unknown", ", ".join(more))
    return MergedPhase(phase.id, phase.name, "base", "muted", "")
