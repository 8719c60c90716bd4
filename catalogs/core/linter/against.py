"""Rules that need other documents: the version before, its siblings, the base of an overlay.

1. E607: two versions of one catalog must not be in force on one day.
2. E608 and E609: a version must own up to what it changed, and to what it dropped.
3. E610: an overlay for a site may add and tighten, never weaken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date

from catalogs.core.document import (
    CriticalEdge,
    Document,
    FinishRule,
    Phase,
    Precedence,
    RequiredKind,
)
from catalogs.core.findings import Finding, error
from catalogs.core.linter.bump import bump_given, bump_needed

CODES = ("E607", "E608", "E609", "E610")
_OUT_OF_USE = "retired"


def lint_against(
    document: Document,
    *,
    previous: Document | None = None,
    siblings: Sequence[Document] = (),
    base: Document | None = None,
) -> tuple[Finding, ...]:
    """Return what is wrong with a document beside others.

    `previous` is the version it follows, `siblings` are documents that may be versions of the same
    catalog, `base` is the catalog that it overlays.
    """
    found = [finding for other in siblings for finding in windows_overlap(document, other)]
    if previous is not None and previous.digest != document.digest:
        found += [*bump_too_small(document, previous), *phase_gone(document, previous)]
    if base is not None:
        found += weakens_base(document, base)
    return tuple(dict.fromkeys(found))


def windows_overlap(document: Document, other: Document) -> Iterator[Finding]:
    """E607: a call of one day would have two versions to be judged by."""
    if other.slug != document.slug or other.version == document.version:
        return
    if _OUT_OF_USE in (document.status, other.status):
        return
    first = max(document.effective_from, other.effective_from)
    last = min(document.effective_to or date.max, other.effective_to or date.max)
    if first <= last:
        said = f"version {other.version} is in force on {first.isoformat()} too; "
        said += "let one end (effective.to) before the other begins"
        yield error("E607", "effective", said, document.line("effective"))


def bump_too_small(document: Document, previous: Document) -> Iterator[Finding]:
    """E608: the version number hides how much has changed."""
    needed, given = bump_needed(previous, document), bump_given(previous, document)
    if given < needed:
        said = f"the change since {previous.version} is a {needed.name.lower()} one, "
        said += f"{document.version} says {given.name.lower()}; raise the number"
        yield error("E608", "version", said, document.line("version"))


def phase_gone(document: Document, previous: Document) -> Iterator[Finding]:
    """E609: a phase of the version before is gone and no phase says that it replaces it."""
    kept = {phase.id for phase in document.phases} | {phase.replaces for phase in document.phases}
    for phase in previous.phases:
        if phase.id not in kept:
            said = f"{phase.id} of version {previous.version} is gone; "
            said += f"write replaces: {phase.id} at the phase that follows it, or keep it"
            yield error("E609", "phases", said, document.line("phases"))


def weakens_base(document: Document, base: Document) -> Iterator[Finding]:
    """E610: an overlay asks less than the catalog it overlays."""
    own = {phase.id: phase for phase in document.phases}
    for phase in base.phases:
        mine = own.get(phase.id)
        if mine is None:
            said = f"drops {phase.id} of {base.slug} {base.version}; an overlay keeps every phase"
            yield error("E610", "phases", said, document.line("phases"))
            continue
        for key, said in _weaker(phase, mine):
            where = f"{phase.id}.{key}"
            text = f"{said}; an overlay may add and tighten, never weaken"
            yield error("E610", where, text, document.line(where))


def _weaker(base: Phase, mine: Phase) -> Iterator[tuple[str, str]]:
    yield from _weaker_edges(base, mine)
    items = {item.id for item in mine.accept}
    for item in base.accept:
        if item.id not in items:
            yield "accept", f"drops the acceptance item {item.id}"
    for key, said, looser in _LOOSER:
        if looser(base, mine):
            yield key, said


def _weaker_edges(base: Phase, mine: Phase) -> Iterator[tuple[str, str]]:
    kept = {edge.parent: edge for edge in mine.critical}
    for edge in base.critical:
        name = f"{edge.parent}→{base.id}"
        own = kept.get(edge.parent)
        if own is None:
            yield "critical_parents", f"drops the critical edge {name}"
        elif not _binds_as_often(edge, own):
            yield f"critical_parents.{edge.parent}", f"lets the critical edge {name} bind less"
        elif own.scope is not edge.scope:
            yield f"critical_parents.{edge.parent}", f"compares the edge {name} in another way"


def _binds_as_often(base: CriticalEdge, mine: CriticalEdge) -> bool:
    return mine.when is None or (base.when is not None and base.when.node == mine.when.node)


def _owed_less(base: Phase, mine: Phase) -> bool:
    if mine.required.kind is RequiredKind.ALWAYS or base.required.kind is RequiredKind.OPTIONAL:
        return False
    old, new = base.required.when, mine.required.when
    return old is None or new is None or old.node != new.node


def _is_refused(phase: Phase) -> bool:
    return phase.volunteered is not None and not phase.volunteered.accept


_LOOSER: tuple[tuple[str, str, Callable[[Phase, Phase], bool]], ...] = (
    ("required", "makes the phase owed less often", _owed_less),
    (
        "precedence",
        'loosens "<" to "<="',
        lambda base, mine: (
            base.precedence is Precedence.STRICT and mine.precedence is Precedence.SAME_TURN
        ),
    ),
    (
        "finish",
        "lets one item finish what needed all",
        lambda base, mine: base.finish is FinishRule.ALL and mine.finish is FinishRule.ANY,
    ),
    (
        "ack_required",
        "credits early content that had to be acknowledged",
        lambda base, mine: base.ack_required and not mine.ack_required,
    ),
    (
        "volunteered",
        "credits what was volunteered before the phase began",
        lambda base, mine: _is_refused(base) and not _is_refused(mine),
    ),
)
"""What else can be weaker: the key, what the overlay does, and how to tell."""
