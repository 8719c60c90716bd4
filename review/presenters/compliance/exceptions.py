"""Exceptions in words: how each stands today, and what the person may do about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from review.core.compliance.exceptions import Stage
from review.core.compliance.words import name_words
from review.queries.exceptions import ExceptionLine

_STAGES = {
    Stage.ASKED: ("waits for a second person", "unknown"),
    Stage.COMING: ("approved, not begun", "muted"),
    Stage.STANDS: ("stands", "pass"),
    Stage.EXPIRED: ("expired", "muted"),
    Stage.ENDED: ("taken back", "muted"),
    Stage.LAPSED: ("lapsed: nobody approved it in time", "fail"),
}
_OPEN = (Stage.ASKED, Stage.COMING, Stage.STANDS)


@dataclass(frozen=True, slots=True)
class ShownException:
    """One exception; `left` says how long it still lasts."""

    id: UUID
    what: str
    catalog: str
    site: str
    reason: str
    words: str
    first: date
    last: date
    stage: str
    tone: str
    left: str
    history: tuple[tuple[str, str, datetime], ...]
    may_approve: bool
    may_end: bool
    own: bool


def show_exceptions(
    lines: Iterable[ExceptionLine], person: UUID, acting: frozenset[UUID], today: date
) -> tuple[ShownException, ...]:
    """Draw exceptions for a person, who acts at the sites `acting`."""
    return tuple(_show(one, person, acting, today) for one in lines)


def _show(one: ExceptionLine, person: UUID, acting: frozenset[UUID], today: date) -> ShownException:
    words, tone = _STAGES[one.stage]
    acts, own = one.site_id in acting, one.asked_by == person
    history = [("asked for by", one.asker, one.asked_at)]
    if one.approved_at is not None:
        history.append(("approved by", one.approver, one.approved_at))
    if one.ended_at is not None:
        history.append(("taken back by", one.ender, one.ended_at))
    return ShownException(
        id=one.id,
        what=name_words(one.name),
        catalog=one.catalog,
        site=one.site_name,
        reason=one.reason,
        words=one.words,
        first=one.first,
        last=one.last,
        stage=words,
        tone=tone,
        left=_left((one.last - today).days) if one.stage in _OPEN else "",
        history=tuple(history),
        may_approve=acts and not own and one.stage is Stage.ASKED,
        may_end=acts and one.stage in _OPEN,
        own=own and one.stage is Stage.ASKED and acts,
    )


def _left(days: int) -> str:
    if days == 0:
        return "its last day is today"
    return "1 day left" if days == 1 else f"{days} days left"
