"""What the call page says of masked identifiers, and the masked parts of what it shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from catalogs.core.findings import Finding
from review.core.evaluation import Report
from review.core.masking import WORDS, Identifier, IdentifierKind, Masker
from review.presenters.conflicts import ShownConflict
from review.presenters.segments import MaskedSpan


@dataclass(frozen=True, slots=True)
class MaskingLine:
    """Whether identifiers are masked, in words; who may have them shown, or hide them again."""

    words: str
    is_masked: bool
    may_reveal: bool


def show_masking(
    masker: Masker | None, until: datetime | None, *, may_reveal: bool
) -> MaskingLine | None:
    """Draw the line; None where the site masks nothing."""
    if until is not None:
        words = f"Identifiers are shown to you until {until:%H:%M} UTC; this is recorded."
        return MaskingLine(words, is_masked=False, may_reveal=may_reveal)
    if masker is None:
        return None
    found = _count(masker)
    words = (
        f"Identifiers are masked at this site: {found}."
        if found
        else ("Identifiers are masked at this site; none was found in this call.")
    )
    return MaskingLine(words, is_masked=True, may_reveal=may_reveal)


def mask_words(kind: IdentifierKind) -> str:
    """Return what a masked stretch is called aloud.

    >>> mask_words(IdentifierKind.BIRTH)
    'date of birth, masked'
    """
    return f"{WORDS[kind][0]}, masked"


def masked_spans(
    found: Mapping[int, tuple[Identifier, ...]],
) -> dict[int, tuple[MaskedSpan, ...]]:
    """Return by turn what is masked in it, in words."""
    return {
        turn: tuple(MaskedSpan(one.start, one.end, mask_words(one.kind)) for one in there)
        for turn, there in found.items()
    }


def mask_report(report: Report, masker: Masker) -> Report:
    """Return a report as it is shown: facts and findings may name people."""
    return replace(
        report,
        facts={name: masker.scalar(value) for name, value in report.facts.items()},
        findings=tuple(
            replace(one, text=masker.text(one.text), where=masker.text(one.where))
            for one in report.findings
        ),
    )


def mask_findings(findings: tuple[Finding, ...], masker: Masker) -> tuple[Finding, ...]:
    """Return findings of an import as they are shown: a speaker's label may be a name."""
    return tuple(
        replace(one, text=masker.text(one.text), where=masker.text(one.where)) for one in findings
    )


def mask_conflict(conflict: ShownConflict, masker: Masker) -> ShownConflict:
    """Return a conflict as it is shown; what the person typed themselves stays."""
    return replace(
        conflict,
        theirs=tuple(map(masker.text, conflict.theirs)),
        rows=tuple((name, masker.text(now), mine) for name, now, mine in conflict.rows),
    )


def _count(masker: Masker) -> str:
    counts = Counter(one.kind for there in masker.found.values() for one in there)
    said = [
        f"{counts[kind]} {WORDS[kind][counts[kind] > 1]}" for kind in IdentifierKind if counts[kind]
    ]
    return ", ".join(said)
