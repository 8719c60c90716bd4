"""The record of an evaluation: what is stored, shown on the call page and printed by `evaluate_call
--json`.

It holds codes, sentences, turn numbers and spans, never the words of a call: quotes are cut from
the stored text when they are shown. Field names are the ones people script against
(docs/evaluate-call.md); a change is a new version.
"""

from __future__ import annotations

from dataclasses import dataclass, field

#: Part of every result's identity: it changes when the same input may be judged differently (S36).
ENGINE_VERSION = "oip-engine/1"

#: A turn number, "never", or None (unknown).
PointText = int | str | None


@dataclass(frozen=True, slots=True)
class CatalogName:
    """Which version judged the call."""

    slug: str
    version: str
    digest: str


@dataclass(frozen=True, slots=True)
class EvidenceReport:
    """A span of code points [start, end) in a turn that shows an item; `event` is an event's id
    instead of words.
    """

    item: str
    turn: int
    start: int
    end: int
    source: str
    event: str | None = None


@dataclass(frozen=True, slots=True)
class AttemptReport:
    """One time the phase was entered: the turn, the anchor's path in the catalog, and its span."""

    turn: int
    source: str
    start: int
    end: int
    event: str | None = None


@dataclass(frozen=True, slots=True)
class ItemReport:
    """One acceptance item: met True, False or None, on which turn, and every span that could show
    it.
    """

    id: str
    met: bool | None
    turn: int | None
    acknowledged: bool
    volunteered: bool
    candidates: tuple[EvidenceReport, ...]


@dataclass(frozen=True, slots=True)
class InstanceReport:
    """One item of a per-item phase."""

    key: str
    start: PointText
    finish: PointText
    verdict: str


@dataclass(frozen=True, slots=True)
class FlagReport:
    """Why a person must look, as a code and a sentence."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class DecidedBy:
    """Who or what gave each value: ``anchor:PATH``, ``rule:PATH``, ``inferred:PATH``,
    ``person:ID`` or None.
    """

    start: str | None
    finish: str | None
    verdict: str | None


@dataclass(frozen=True, slots=True)
class RowReport:
    """One phase row. `reason` is its Coverage sentence and `code` the stable code of it; `ok` its
    term of Coverage.
    """

    phase: str
    name: str
    required: bool | None
    reason: str
    code: str
    ok: bool | None
    blocked_by: str | None
    start: PointText
    finish: PointText
    verdict: str
    mode: str | None
    volunteered: bool
    inferred: bool
    evidence: tuple[EvidenceReport, ...]
    items: tuple[ItemReport, ...]
    attempts: tuple[AttemptReport, ...]
    instances: tuple[InstanceReport, ...]
    flags: tuple[FlagReport, ...]
    decided_by: DecidedBy
    graded: str | None = None


@dataclass(frozen=True, slots=True)
class EdgeReport:
    """One edge of the order. Only a critical one decides; an advisory one has code ADVISORY."""

    parent: str
    child: str
    item: str | None
    critical: bool
    policy: str
    scope: str
    ok: bool | None
    code: str
    parent_finish: PointText
    child_start: PointText
    why: str
    would_pass: str | None


@dataclass(frozen=True, slots=True)
class FindingReport:
    """Something to say about the transcript or the catalog."""

    code: str
    severity: str
    where: str
    text: str


@dataclass(frozen=True, slots=True)
class Report:
    """A whole evaluation. Facts and diagnostics are plain values; fractions are strings such as
    ``1/3``.
    """

    call: str
    ended: bool | None
    live: str
    catalog: CatalogName
    engine: str
    rows: tuple[RowReport, ...]
    facts: dict[str, str | int | bool | None]
    edges: tuple[EdgeReport, ...]
    findings: tuple[FindingReport, ...]
    coverage: str
    order_safe: str
    call_success: str
    reasons: tuple[str, ...]
    summary: str
    diagnostics: dict[str, str | None] = field(default_factory=dict)

    def row(self, phase: str) -> RowReport:
        """Return the row of a phase; raises KeyError for an unknown one."""
        for row in self.rows:
            if row.phase == phase:
                return row
        raise KeyError(phase)
