"""Reopened calls and overturned rows, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from oipsce_site.people.roles import Role
from review.presenters.calls_asked import write_moment
from review.queries.overturned import EndedSignature, OverturnedRow

_WHAT = {
    "ASKED": ("asked to have it reopened", "unknown"),
    "REOPENED": ("reopened it", "unknown"),
    "DECLINED": ("left it signed", "muted"),
    "VOID_CHANGED": ("changed it, which ended the signature", "fail"),
    "VOID_REOPENED": ("signed it anew after a reopening, which ended the signature", "unknown"),
    "VOID_WITHDRAWN": ("withdrew it or sent it back, which ended the signature", "fail"),
}
_KINDS = {"SET_VERDICT": "verdict", "SET_START": "start", "SET_FINISH": "finish"}


@dataclass(frozen=True, slots=True)
class EndedLine:
    """One act about a signature."""

    call_id: UUID
    title: str
    external_id: str
    site: str
    who: str
    what: str
    tone: str
    signer: str
    at: datetime
    has_reason: bool


@dataclass(frozen=True, slots=True)
class OverturnedLine:
    """One decision against a proposal."""

    call_id: UUID
    title: str
    external_id: str
    site: str
    phase: str
    what: str
    proposed: str
    decided: str
    who: str
    at: datetime
    has_reason: bool
    taken_back: bool


@dataclass(frozen=True, slots=True)
class OverturnedPage:
    """The page: two lists, each with the link to what is older; empty words where there is none."""

    ended: tuple[EndedLine, ...]
    older_ended: str
    rows: tuple[OverturnedLine, ...]
    older_rows: str
    is_first: bool


def show_overturned(
    ended: tuple[Sequence[EndedSignature], bool],
    rows: tuple[Sequence[OverturnedRow], bool],
    *,
    is_first: bool,
) -> OverturnedPage:
    """Draw both lists; each comes with whether there is more of it."""
    acts, more_acts = ended
    decisions, more_decisions = rows
    return OverturnedPage(
        ended=tuple(map(_ended, acts)),
        older_ended=f"?signatures={write_moment(acts[-1].at)}#signatures" if more_acts else "",
        rows=tuple(map(_row, decisions)),
        older_rows=f"?rows={decisions[-1].id}#rows" if more_decisions else "",
        is_first=is_first,
    )


def _ended(one: EndedSignature) -> EndedLine:
    what, tone = _WHAT[one.what]
    return EndedLine(
        call_id=one.call_id,
        title=one.title or one.external_id,
        external_id=one.external_id,
        site=one.site_name,
        who=one.who,
        what=what,
        tone=tone,
        signer=one.signer,
        at=one.at,
        has_reason=not one.what.startswith("VOID_"),
    )


def _row(one: OverturnedRow) -> OverturnedLine:
    turn = "turn " if one.kind != "SET_VERDICT" else ""
    proposed, decided = (
        f"{turn}{value}" if value.lstrip("-").isdigit() else value
        for value in (one.proposed, one.decided)
    )
    return OverturnedLine(
        call_id=one.call_id,
        title=one.title or one.external_id,
        external_id=one.external_id,
        site=one.site_name,
        phase=one.phase,
        what=_KINDS[one.kind],
        proposed=proposed,
        decided=decided,
        who=f"{one.who}, {Role(one.role).label}",
        at=one.at,
        has_reason=one.has_reason,
        taken_back=one.taken_back,
    )
