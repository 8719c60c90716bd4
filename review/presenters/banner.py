"""The verdict of a call in three tiles, and the sentences of what is wrong or open."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from catalogs.core.document import Document
from review.core.evaluation import EdgeReport, Report, RowReport
from review.presenters.marks import Mark, outcome_mark
from review.presenters.places import Piece, linked

#: More sentences than this would push the picture out of sight; the table of edges has them all.
_MOST = 3


@dataclass(frozen=True, slots=True)
class Tile:
    """One of Coverage, OrderSafe and CallSuccess."""

    name: str
    mark: Mark
    sentence: str


@dataclass(frozen=True, slots=True)
class EdgeSentence:
    """A critical edge that fails or is open, with the smallest change that would pass."""

    mark: Mark
    pieces: tuple[Piece, ...]
    rationale: str
    would_pass: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Banner:
    """What is known of the call, at one glance. `more` counts edges that are not repeated here."""

    tiles: tuple[Tile, ...]
    edges: tuple[EdgeSentence, ...]
    more: int
    summary: str
    ending: str


def show_banner(report: Report, document: Document, turns: Collection[int]) -> Banner:
    """Draw the banner of an evaluated call."""
    critical = [edge for edge in report.edges if edge.critical]
    wrong = sorted((edge for edge in critical if edge.ok is not True), key=_gravity)
    return Banner(
        tiles=(
            Tile("Coverage", outcome_mark(report.coverage), _coverage(report.rows)),
            Tile("OrderSafe", outcome_mark(report.order_safe), _order(critical)),
            Tile("CallSuccess", outcome_mark(report.call_success), _success(report)),
        ),
        edges=tuple(edge_sentence(edge, document, turns) for edge in wrong[:_MOST]),
        more=max(len(wrong) - _MOST, 0),
        summary=report.summary,
        ending=_ending(report),
    )


def edge_sentence(edge: EdgeReport, document: Document, turns: Collection[int]) -> EdgeSentence:
    """Write an edge with its turn numbers linked and its reason apart."""
    rationale = next(
        (
            rule.rationale
            for rule in document.phase(edge.child).critical
            if rule.parent == edge.parent
        ),
        "",
    )
    why = edge.why.removesuffix(f" Why it is critical: {rationale}")
    return EdgeSentence(
        mark=outcome_mark({True: "pass", False: "fail", None: "undetermined"}[edge.ok]),
        pieces=linked(why, turns),
        rationale=rationale,
        would_pass=linked(edge.would_pass, turns) if edge.would_pass else (),
    )


def _gravity(edge: EdgeReport) -> int:
    return 0 if edge.ok is False else 1


def _coverage(rows: Sequence[RowReport]) -> str:
    failed = [row.phase for row in rows if row.ok is False]
    if failed:
        return f"not completed: {', '.join(failed)}"
    open_rows = [row.phase for row in rows if row.ok is None]
    if open_rows:
        return f"open: {', '.join(open_rows)}"
    owed = sum(1 for row in rows if row.required)
    if not owed:
        return "no phase is required on this branch"
    return "the one required phase passed" if owed == 1 else f"all {owed} required phases passed"


def _order(critical: Sequence[EdgeReport]) -> str:
    if not critical:
        return "this catalog has no critical edge"
    total = f"{len(critical)} critical edge{'s' if len(critical) != 1 else ''}"
    failed = sum(1 for edge in critical if edge.ok is False)
    open_edges = sum(1 for edge in critical if edge.ok is None)
    if failed:
        return f"{failed} of {total} violated"
    if open_edges:
        return f"{open_edges} of {total} open"
    return "the critical edge holds" if len(critical) == 1 else f"all {total} hold"


def _success(report: Report) -> str:
    if report.call_success == "pass":
        return "Coverage and OrderSafe both pass"
    failed = [
        name
        for name, outcome in (("Coverage", report.coverage), ("OrderSafe", report.order_safe))
        if outcome == "fail"
    ]
    if failed:
        return f"{' and '.join(failed)} {'fails' if len(failed) == 1 else 'fail'}"
    if "VACUOUS" in report.reasons:
        return "nothing was required on this branch"
    return "a person must settle what is open"


def _ending(report: Report) -> str:
    if report.ended is True:
        return ""
    if report.ended is False:
        return "The call has not ended: what is not done yet is open, not failed."
    return "Whether the call has ended is not known: what is not done yet is open, not failed."
