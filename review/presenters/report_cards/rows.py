"""Rows and verdicts: what stands as proposed, by phase and by whose calls they are of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from review.core.figures import share_of
from review.core.promotion import Became
from review.core.report_card import (
    Cell,
    automation_rate,
    never_decided,
    override_rate,
    phase_exact_match,
    verdict_figures,
)
from review.core.rows import Verdict
from review.presenters.figure_tables import FigureLine, FigureMatrix, MatrixRow, share_line
from review.presenters.report_cards.filters import short_name
from review.presenters.report_cards.parts import parts_by, rows_of
from review.queries.report_cards import Group, ProposalTally

ROWS = ("Exact match", "Changed by people", "Needed nobody")
PROPOSALS = ("Overridden", "Taken", "Changed", "Rejected")
_PROPOSAL_NOTE = (
    "Of rows that people settled and on which a language model had proposed a place. Taken: the "
    "row passed at the turn that was proposed. Changed: it passed at another one. Rejected: it did "
    "not pass. If far more are taken where they were shown, people lean on the model."
)
VERDICTS = ("Pass: precision", "Pass: recall", "Fail: precision", "Fail: recall")


def row_table(cells: Sequence[Cell]) -> FigureMatrix:
    """Return what became of the machine's rows, by phase."""
    parts = parts_by(cells, lambda one: one.phase)
    return FigureMatrix(
        "rows",
        "Rows by phase",
        "Phase",
        ROWS,
        rows_of(parts, cells, row_cells),
        "Exact match: start, finish and verdict stand as proposed, of the rows that people "
        "settled. Needed nobody (automation): no flag asked for a person and nothing was changed, "
        "of all rows.",
    )


def group_tables(groups: Sequence[Group], sites: Mapping[str, str]) -> tuple[FigureMatrix, ...]:
    """Return rows by site, language and age group, where calls of more than one were signed."""
    kinds: tuple[tuple[str, str, Callable[[Group], str]], ...] = (
        ("site", "Site", lambda one: sites.get(one.site, one.site)),
        ("language", "Language", lambda one: short_name(one.language)),
        ("age group", "Age group", lambda one: short_name(one.age)),
    )
    tables = []
    for words, what, name in kinds:
        parts = parts_by(groups, name)
        if len(parts) > 1:
            rows = tuple(MatrixRow(key, group_cells(parts[key])) for key in sorted(parts))
            tables.append(
                FigureMatrix(f"by-{words.replace(' ', '-')}", f"Rows by {words}", what, ROWS, rows)
            )
    return tuple(tables)


def verdict_table(cells: Sequence[Cell]) -> FigureMatrix:
    """Return how often proposed verdicts are right, by phase."""
    return FigureMatrix(
        "verdicts",
        "Verdicts by phase",
        "Phase",
        VERDICTS,
        rows_of(parts_by(cells, lambda one: one.phase), cells, verdict_cells),
        "Precision: of the rows proposed so, those that people decided so. Recall: of the rows "
        "that people decided so, those proposed so.",
    )


def never_tables(cells: Sequence[Cell]) -> tuple[FigureMatrix, ...]:
    """Return the phases that nobody fails and those that nobody passes, where there are any."""
    kinds = (
        (Verdict.FAIL, "Phases nobody fails", "Failed"),
        (Verdict.PASS, "Phases nobody passes", "Passed"),
    )
    tables = []
    for verdict, title, column in kinds:
        found = never_decided(cells, verdict)
        rows = tuple(
            MatrixRow(phase, (share_line(column, share),)) for phase, share in found.items()
        )
        if rows:
            tables.append(
                FigureMatrix(
                    f"never-{verdict.value}",
                    title,
                    "Phase",
                    (column,),
                    rows,
                    "Of required rows that people settled. The interval says how often it may "
                    "happen all the same.",
                )
            )
    return tuple(tables)


def proposal_tables(tallies: Sequence[ProposalTally]) -> tuple[FigureMatrix, ...]:
    """Return what became of models' proposals by phase: rows that were decided with them in view,
    and beside them those that were decided blind. None where no model proposed anything.
    """
    parts = parts_by(tallies, lambda one: one.phase)
    kinds = (
        (True, "shown", "Models' proposals, shown before the row was decided"),
        (False, "blind", "Models' proposals, shown only when the row was decided"),
    )
    tables = []
    for shown, name, title in kinds:
        own = {phase: [one for one in part if one.shown is shown] for phase, part in parts.items()}
        rows = tuple(MatrixRow(phase, proposal_cells(own[phase])) for phase in sorted(own))
        if rows:
            tables.append(
                FigureMatrix(f"proposals-{name}", title, "Phase", PROPOSALS, rows, _PROPOSAL_NOTE)
            )
    return tuple(tables)


def proposal_cells(tallies: Sequence[ProposalTally]) -> tuple[FigureLine, ...]:
    """Return how many proposals were taken, changed and rejected, and how many were overridden."""
    became: dict[Became, int] = dict.fromkeys(Became, 0)
    for one in tallies:
        became[one.became] += one.number
    every = sum(became.values())
    parts = (
        every - became[Became.TAKEN],
        became[Became.TAKEN],
        became[Became.CHANGED],
        became[Became.REJECTED],
    )
    return tuple(
        share_line(name, share_of(part, every)) for name, part in zip(PROPOSALS, parts, strict=True)
    )


def row_cells(cells: Sequence[Cell]) -> tuple[FigureLine, ...]:
    """Return exact match, override rate and automation rate of rows."""
    shares = (phase_exact_match(cells), override_rate(cells), automation_rate(cells))
    return tuple(share_line(name, share) for name, share in zip(ROWS, shares, strict=True))


def group_cells(groups: Iterable[Group]) -> tuple[FigureLine, ...]:
    """Return the same of rows that are counted by group."""
    known = list(groups)
    settled = sum(one.number for one in known if one.settled)
    same = sum(one.number for one in known if one.settled and one.same)
    needed_nobody = sum(one.number for one in known if one.same and not one.flagged)
    every = sum(one.number for one in known)
    shares = (
        share_of(same, settled),
        share_of(settled - same, settled),
        share_of(needed_nobody, every),
    )
    return tuple(share_line(name, share) for name, share in zip(ROWS, shares, strict=True))


def verdict_cells(cells: Sequence[Cell]) -> tuple[FigureLine, ...]:
    """Return precision and recall of pass and of fail."""
    passed, failed = (verdict_figures(cells, one) for one in (Verdict.PASS, Verdict.FAIL))
    shares = (passed.precision, passed.recall, failed.precision, failed.recall)
    return tuple(share_line(name, share) for name, share in zip(VERDICTS, shares, strict=True))
