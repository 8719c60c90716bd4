"""Calls whose signature ended or is asked to end, and rows that people set against the machine.

Both lists are of what was done, the latest first. What a person wrote as a reason is sealed and
stands on the call's own page; here is only whether there is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import connection


@dataclass(frozen=True, slots=True)
class EndedSignature:
    """One act about a signature that stood: `what` is ASKED, REOPENED, DECLINED, or VOID_ and why.

    `signer` is whose signature ended; empty where none did.
    """

    call_id: UUID
    title: str
    external_id: str
    site_name: str
    what: str
    who: str
    at: datetime
    signer: str


@dataclass(frozen=True, slots=True)
class OverturnedRow:
    """One decision that differs from what was proposed; values are as pages write them.

    `taken_back` says that the person undid it later.
    """

    id: int
    call_id: UUID
    title: str
    external_id: str
    site_name: str
    phase: str
    kind: str
    proposed: str
    decided: str
    who: str
    role: str
    at: datetime
    has_reason: bool
    taken_back: bool


_ENDED: Final = """
select c.id, c.title, c.external_id, s.name, one.what, u.printed_name, one.at, one.signer
from (
  select n.call_id, n.by_id, n.at, replace(n.kind, 'REOPEN_', '')
         as what, '' as signer
    from review_callnote n
   where n.kind in ('REOPEN_ASKED', 'REOPENED', 'REOPEN_DECLINED')
  union all
  select f.call_id, f.void_by_id, f.void_at, 'VOID_' || f.void_why, signer.printed_name
    from review_signoff f join people_user signer on signer.id = f.by_id
   where f.void_at is not null
) as one
join review_call c on c.id = one.call_id
join people_site s on s.id = c.site_id
join people_user u on u.id = one.by_id
where c.site_id = any(%(sites)s) and (%(before)s::timestamptz is null or one.at < %(before)s)
order by one.at desc, c.id limit %(limit)s
"""

# Undone and not redone: a redo is the undo of an undo.
_TAKEN_BACK: Final = """
exists (select from review_decision u where u.call_id = d.call_id and u.kind = 'UNDO'
        and (u.value ->> 'of')::bigint = d.number
        and not exists (select from review_decision r where r.call_id = d.call_id
                        and r.kind = 'UNDO' and (r.value ->> 'of')::bigint = u.number))
"""

_OVERTURNED: Final = f"""
select d.id, c.id, c.title, c.external_id, s.name, d.phase, d.kind,
       proposed.value, decided.value, u.printed_name, d.role, d.at, d.sealed is not null,
       {_TAKEN_BACK}
from review_decision d
join review_call c on c.id = d.call_id
join people_site s on s.id = c.site_id
join people_user u on u.id = d.by_id
join review_proposedrow p on p.run_id = d.run_id and p.phase = d.phase,
lateral (select case d.kind
  when 'SET_VERDICT' then lower(p.verdict)
  when 'SET_START' then coalesce(p.start_turn::text, lower(p.start_state))
  else coalesce(p.finish_turn::text, lower(p.finish_state)) end as value) as proposed,
lateral (select lower(case d.kind when 'SET_VERDICT' then d.value ->> 'verdict'
  else d.value ->> 'point' end) as value) as decided
where c.site_id = any(%(sites)s) and d.kind in ('SET_VERDICT', 'SET_START', 'SET_FINISH')
  and (d.value ? 'key' or proposed.value is distinct from decided.value)
  and (%(before)s::bigint is null or d.id < %(before)s)
order by d.id desc limit %(limit)s
"""  # noqa: S608 - our own words


def list_ended(
    sites: frozenset[UUID], *, limit: int, before: datetime | None = None
) -> tuple[list[EndedSignature], bool]:
    """Return what was done about signatures of these sites before a time, and whether more was."""
    rows = _rows(_ENDED, sites, before, limit)
    return [EndedSignature(*row) for row in rows[:limit]], len(rows) > limit


def list_overturned(
    sites: frozenset[UUID], *, limit: int, before: int | None = None
) -> tuple[list[OverturnedRow], bool]:
    """Return decisions against a proposal, with a smaller id than `before`, and whether more are.

    A decision on one item of a per-item phase is always among them.
    """
    rows = _rows(_OVERTURNED, sites, before, limit)
    return [OverturnedRow(*row) for row in rows[:limit]], len(rows) > limit


def _rows(
    sql: str, sites: frozenset[UUID], before: datetime | int | None, limit: int
) -> list[tuple[Any, ...]]:
    given: dict[str, Any] = {"sites": list(sites), "before": before, "limit": limit + 1}
    with connection.cursor() as cursor:
        cursor.execute(sql, given)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found
