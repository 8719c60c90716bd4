"""How far a site's models agree with people, phase by phase and language by language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from review.core.agreement import decimal
from review.core.figures import Share
from review.core.promotion import Agreement, Proven, proven_from_json, shortfalls
from review.models import OPEN_MODEL_CHECKS, EndedWhy, ModelCheck, ModelCheckState, Promotion
from review.presenters.figure_tables import FigureLine, share_line
from review.queries.promotions import Measurable

_CHECK_TONES = {
    ModelCheckState.WAITING: "unknown",
    ModelCheckState.RUNNING: "unknown",
    ModelCheckState.DONE: "pass",
    ModelCheckState.CANCELLED: "muted",
    ModelCheckState.STOPPED: "fail",
}


@dataclass(frozen=True, slots=True)
class PhaseFigures:
    """What is measured of one phase in one language; `missing` says why it may not be promoted.

    `figures` are kappa, omission recall, flips and rows; `standing` says where a promotion stands.
    `may_ask`: nothing is missing, and it is neither asked for nor in force.
    """

    of: Measurable
    name: str
    language: str
    figures: tuple[FigureLine, ...]
    missing: tuple[str, ...]
    standing: str
    tone: str
    promotion: UUID | None
    waits: bool
    is_own: bool

    @property
    def may_ask(self) -> bool:
        """Whether somebody may ask for it now."""
        return self.promotion is None and not self.missing


@dataclass(frozen=True, slots=True)
class ShownCheck:
    """One check, as the list has it."""

    id: UUID
    title: str
    state: str
    tone: str
    words: str
    why: str
    by: str
    at: datetime
    is_open: bool


@dataclass(frozen=True, slots=True)
class PastPromotion:
    """One promotion, with all that became of it, in sentences; `is_open`: it waits or stands."""

    id: UUID
    title: str
    models: str
    steps: tuple[str, ...]
    in_force: bool
    is_open: bool


def show_phase(
    of: Measurable, proven: Proven, open_one: Promotion | None, reader: UUID
) -> PhaseFigures:
    """Draw what is measured now; `open_one` is a promotion of it that waits or is in force."""
    missing = shortfalls(proven)
    waits = open_one is not None and open_one.stands_at is None
    return PhaseFigures(
        of=of,
        name=of.phase,
        language=say_language(of.language),
        figures=_figures(proven),
        missing=missing,
        standing=_standing(open_one, missing),
        tone=_tone(open_one, missing),
        promotion=open_one.pk if open_one else None,
        waits=waits,
        is_own=open_one is not None and open_one.asked_by_id == reader,
    )


def show_checks(checks: Iterable[ModelCheck]) -> tuple[ShownCheck, ...]:
    """Draw the checks of a site; each is annotated with how many rows it `checked`."""
    return tuple(
        ShownCheck(
            id=one.pk,
            title=f"{one.version.catalog.slug} {one.version.version} · "
            f"{one.asked_models.replace(',', ' and ')}",
            state=ModelCheckState(one.state).label,
            tone=_CHECK_TONES[ModelCheckState(one.state)],
            words=f"{one.done:,} of {len(one.calls):,} calls, {_checked(one):,} rows asked about",
            why=one.why,
            by=one.asked_by.printed_name,
            at=one.asked_at,
            is_open=one.state in OPEN_MODEL_CHECKS,
        )
        for one in checks
    )


def show_history(promotions: Iterable[Promotion]) -> tuple[PastPromotion, ...]:
    """Draw every promotion of a site with its steps, the newest first."""
    return tuple(
        PastPromotion(
            id=one.pk,
            title=f"{one.phase} · {say_language(one.language)}",
            models=one.answered.replace(",", " and "),
            steps=tuple(_steps(one)),
            in_force=one.stands_at is not None and one.ended_at is None,
            is_open=one.ended_at is None,
        )
        for one in promotions
    )


def say_language(language: str) -> str:
    """Return a language as a page names it."""
    return language or "language not said"


def _checked(one: ModelCheck) -> int:
    return int(getattr(one, "checked", 0))


def _figures(proven: Proven) -> tuple[FigureLine, ...]:
    agreement = proven.agreement
    return (
        _kappa_line(agreement),
        share_line("Omissions found", agreement.recall),
        share_line("Answers that flip", proven.flips),
    )


def _kappa_line(agreement: Agreement) -> FigureLine:
    kappa = agreement.kappa
    interval = ""
    if agreement.low is not None and agreement.high is not None:
        interval = f"{decimal(agreement.low)} to {decimal(agreement.high)}"
    rows = f"{agreement.rows:,} of {agreement.calls:,} calls"
    value = "none" if kappa is None else decimal(kappa)
    return FigureLine("Kappa", value, interval, rows, agreement.rows < 20, None)


def _standing(open_one: Promotion | None, missing: tuple[str, ...]) -> str:
    if open_one is None:
        return "shadow" if missing else "may be promoted"
    return "asked for" if open_one.stands_at is None else "promoted"


def _tone(open_one: Promotion | None, missing: tuple[str, ...]) -> str:
    if open_one is None:
        return "muted" if missing else "unknown"
    return "unknown" if open_one.stands_at is None else "pass"


_WHY: Mapping[str, str] = {why.value: why.label for why in EndedWhy}


def _steps(one: Promotion) -> Iterable[str]:
    yield _step("Asked for", one.asked_by.printed_name, one.asked_at, one.asked_figures)
    if one.stands_at is not None and one.stands_by is not None:
        yield _step("Put in force", one.stands_by.printed_name, one.stands_at, one.stands_figures)
    if one.ended_at is not None:
        who = one.ended_by.printed_name if one.ended_by else "the machine"
        why = _WHY[one.ended_why]
        yield _step(f"Ended ({why})", who, one.ended_at, one.ended_figures)


def _step(what: str, who: str, at: datetime, figures: Mapping[str, Any] | None) -> str:
    said = f"{what} by {who}, {at:%-d %b %Y, %H:%M} UTC"
    return f"{said}: {_in_words(proven_from_json(figures))}." if figures else f"{said}."


def _in_words(proven: Proven) -> str:
    agreement = proven.agreement
    kappa = "none" if agreement.kappa is None else decimal(agreement.kappa)
    low = "" if agreement.low is None else f" (at least {decimal(agreement.low)})"
    return (
        f"kappa {kappa}{low} on {agreement.rows:,} rows, "
        f"omissions found {_of(agreement.recall)}, flips {_of(proven.flips)}"
    )


def _of(share: Share) -> str:
    return f"{share.part:,} of {share.n:,}"
