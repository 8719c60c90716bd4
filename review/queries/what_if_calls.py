"""The calls of a what-if as they stand: rows, facts and outcomes, in a few queries for many calls.

Rows are read by plain statements: a what-if looks at a million of them. Nothing here opens a seal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

import orjson
from django.db import connection

from catalogs.queries import document_of
from oipsce_site.rows import load_rows
from review.core.predicates import Outcome
from review.core.predicates.batch import StoredCall
from review.core.row_values import (
    deciding_row_from_json,
    point_from_json,
    rows_from_deciding,
)
from review.core.rows import NEVER, UNKNOWN, Point, Row, Verdict
from review.core.transcript.storing import attributes_from_plain
from review.core.whatif import Decided, Past, Standing
from review.models import Call, Decision, PhaseRow, PointState, State
from review.queries.folded import Folded, load_folded_calls, read_facts

#: Calls that were judged and are not taken out.
JUDGED_STATES = (
    *(State.AWAITING_REVIEW, State.IN_REVIEW, State.AWAITING_SECOND_READER),
    *(State.SIGNED, State.REOPENED),
)


@dataclass(frozen=True, slots=True)
class Range:
    """Which calls: of a site, judged by a catalog (a slug), from one day to another, both in."""

    site_id: UUID
    catalog: str
    first: date | None = None
    last: date | None = None


def calls_in(wanted: Range, *, most: int) -> list[UUID]:
    """Return the ids of the calls of a range in the order they came, `most` at most."""
    calls = Call.objects.filter(
        site=wanted.site_id,
        state__in=JUDGED_STATES,
        erased_at=None,
        catalog_version__catalog__slug=wanted.catalog,
    )
    if wanted.first is not None:
        calls = calls.filter(call_date__gte=wanted.first)
    if wanted.last is not None:
        calls = calls.filter(call_date__lte=wanted.last)
    return list(calls.order_by("received_at", "pk").values_list("pk", flat=True)[:most])


@dataclass(frozen=True, slots=True)
class StandingCall:
    """What stands of a call: the catalog that judges it, its pre-fill, whether it is signed, and
    what it came out as. `attributes` are as stored.
    """

    id: UUID
    catalog_digest: str
    run_id: UUID
    signed: bool
    ended: bool | None
    attributes: dict[str, Any]
    outcome: Outcome


def standing_calls(call_ids: Sequence[UUID]) -> list[StandingCall]:
    """Return what stands of these calls, in their order; erased ones and those without rows are
    left out.
    """
    with connection.cursor() as cursor:
        cursor.execute(_STANDING_CALLS, [list(call_ids)])
        found = {row[0]: row for row in cursor.fetchall()}
    return [
        StandingCall(
            call_id,
            digest,
            run_id,
            state == State.SIGNED,
            ended,
            orjson.loads(attributes),
            Outcome(outcome.lower()),
        )
        for call_id, digest, run_id, state, ended, attributes, outcome in (
            found[one] for one in call_ids if one in found
        )
    ]


def decided_calls_among(calls: Sequence[StandingCall]) -> dict[UUID, Folded]:
    """Return those of the calls on which people have decided, folded."""
    ids = [one.id for one in calls]
    touched = Decision.objects.filter(call__in=ids).order_by().values_list("call_id", flat=True)
    return load_folded_calls(load_rows(Call, list(touched.distinct())))


def pasts_of(calls: Sequence[StandingCall], *, with_facts: bool) -> dict[str, list[Past]]:
    """Return the calls as a what-if decides them again, by the digest of what judged them.

    `with_facts` only where a requirement reads one: they lie in the stored reports.
    """
    folded = decided_calls_among(calls)
    plain = [one.run_id for one in calls if one.id not in folded]
    rows, facts = _deciding(plain)
    old = [run_id for run_id in plain if run_id not in rows]
    if old:
        rows |= _proposed(old)
        facts |= _facts(old) if with_facts else {}
    by_digest: dict[str, list[Past]] = {}
    for one in calls:
        document = document_of(one.catalog_digest)
        stored = (
            _shown(one, folded[one.id])
            if one.id in folded
            else StoredCall(
                rows.get(one.run_id, {}),
                read_facts(document, facts.get(one.run_id, {})),
                _scalars(one),
                one.ended,
            )
        )
        past = Past(str(one.id), stored, one.signed)
        by_digest.setdefault(one.catalog_digest, []).append(past)
    return by_digest


def standing_rows(call_ids: Sequence[UUID]) -> dict[UUID, dict[str, Standing]]:
    """Return the rows of calls as they are shown: start, finish and verdict by phase."""
    rows: dict[UUID, dict[str, Standing]] = {call_id: {} for call_id in call_ids}
    found = PhaseRow.objects.filter(call__in=call_ids).order_by("call", "position")
    columns = ("start_state", "start_turn", "finish_state", "finish_turn", "verdict")
    for call_id, phase, *row in found.values_list("call_id", "phase", *columns):
        start_state, start_turn, finish_state, finish_turn, verdict = row
        rows[call_id][phase] = Standing(
            _point(start_state, start_turn),
            _point(finish_state, finish_turn),
            Verdict(verdict.lower()),
        )
    return rows


def decided_of(folded: Folded) -> Decided:
    """Return what people decided on a folded call, as the core keeps it."""
    return Decided(folded.document, folded.base, folded.decisions)


def _shown(one: StandingCall, folded: Folded) -> StoredCall:
    rows = {phase: shown.row for phase, shown in folded.shown.rows.items()}
    return StoredCall(rows, folded.shown.facts, _scalars(one), one.ended)


def _scalars(one: StandingCall) -> dict[str, Any]:
    attributes = attributes_from_plain(one.attributes)
    return {name: value for name, value in attributes.items() if not isinstance(value, tuple)}


def _deciding(run_ids: Sequence[UUID]) -> tuple[dict[UUID, dict[str, Row]], dict[UUID, Any]]:
    """Return what decides of the proposals of these runs, rows and facts, where it was kept."""
    rows: dict[UUID, dict[str, Row]] = {}
    facts: dict[UUID, Any] = {}
    with connection.cursor() as cursor:
        cursor.execute(_DECIDING, [list(run_ids)])
        for run_id, text in cursor.fetchall():
            kept = orjson.loads(text)
            rows[run_id], facts[run_id] = rows_from_deciding(kept["rows"]), kept["facts"]
    return rows, facts


def _proposed(run_ids: Sequence[UUID]) -> dict[UUID, dict[str, Row]]:
    with connection.cursor() as cursor:
        cursor.execute(_PROPOSED, [list(run_ids)])
        return {
            run_id: {one["phase"]: deciding_row_from_json(one) for one in orjson.loads(rows)}
            for run_id, rows in cursor.fetchall()
        }


def _facts(run_ids: Sequence[UUID]) -> dict[UUID, dict[str, Any]]:
    """Return the facts that the reports of these runs state."""
    with connection.cursor() as cursor:
        cursor.execute(_FACTS, [list(run_ids)])
        found = {run_id: _facts_in(end) for run_id, end in cursor.fetchall()}
        unclear = [run_id for run_id, facts in found.items() if facts is None]
        if unclear:
            cursor.execute(_FACTS_READ, [unclear])
            found |= {run_id: orjson.loads(facts) for run_id, facts in cursor.fetchall()}
    return {run_id: facts or {} for run_id, facts in found.items()}


def _facts_in(end: str) -> dict[str, Any] | None:
    """Read the facts at the end of a report's beginning; None where they do not lie there whole.

    A quote inside a text is written with a backslash, so the mark of the facts is a key of its own;
    the last one is the report's, for no fact holds an object.
    """
    at = end.rfind(_FACTS_MARK)
    try:
        read = None if at < 0 else orjson.loads(end[at + len(_FACTS_MARK) - 1 :])
    except orjson.JSONDecodeError:
        return None
    return read if isinstance(read, dict) else None


def _point(state: str, turn: int | None) -> Point:
    if state == PointState.TURN:
        return point_from_json(turn)
    return NEVER if state == PointState.NEVER else UNKNOWN


_STANDING_CALLS = """
select c.id, v.digest, r.id, c.state, c.ended, c.attributes::text, e.call_success
  from unnest(%s::uuid[]) wanted(id)
 cross join lateral (select * from review_call where id = wanted.id offset 0) c
  join catalogs_catalogversion v on v.id = c.catalog_version_id
 cross join lateral (
       select id from review_prefillrun
        where call_id = c.id and state = 'DONE' and transcript_digest = c.transcript_digest
          and catalog_digest = v.digest
        order by queued_at desc, id desc limit 1) r
 cross join lateral (
       select call_success from review_evaluation
        where call_id = c.id order by made_at desc, id desc limit 1) e
 where c.erased_at is null
"""
_DECIDING = """
select run_id, deciding from review_evaluation
 where run_id = any(%s) and decision_id is null and deciding is not null
"""
# Of calls that were filled before that was kept; what decides of a row is a small part of it.
_PROPOSED = """
select run_id,
       json_agg("row" - '{items,attempts,unacknowledged,start_source,finish_source}'::text[])::text
  from review_proposedrow where run_id = any(%s) group by run_id
"""
# Reading a whole report for its few facts takes four times as long as cutting them out.
_FACTS_MARK = '"facts":{'
_FACTS = """
select run_id, right(split_part(report, ',"edges":[', 1), 2000) from review_evaluation
 where run_id = any(%s) and decision_id is null
"""
_FACTS_READ = """
select run_id, ((report::jsonb) -> 'facts')::text from review_evaluation
 where run_id = any(%s) and decision_id is null
"""
