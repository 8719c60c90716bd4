"""Many calls at once, written into the tables by one statement: for lists at scale, never for a
page that opens a call (these calls have no turns and no evaluation, only their lines).
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import psycopg

from tests import servers

_INSERT = """
with drawn as (
  select g as number, (hashint4(g) & 1023) %% 100 as share, (hashint4(g + 7) & 1023) %% 100 as luck,
         (hashint4(g + 13) & 1023) as spread
    from generate_series(%(first)s::int, %(last)s::int) g
), named as (
  select *, case
              when share < 2 then 'NEEDS_MAPPING' when share < 3 then 'RECEIVED'
              when share < 4 then 'PREFILLING' when share < 10 then 'IN_REVIEW'
              when share < 11 then 'AWAITING_SECOND_READER' when share < 40 then 'SIGNED'
              when share < 41 then 'WITHDRAWN' else 'AWAITING_REVIEW' end as state,
         (%(sites)s::uuid[])[1 + spread %% cardinality(%(sites)s::uuid[])] as site,
         (%(versions)s::uuid[])[1 + (spread / 7) %% cardinality(%(versions)s::uuid[])] as version
    from drawn
), judged as (
  select *, state not in ('NEEDS_MAPPING', 'RECEIVED', 'PREFILLING') as is_judged from named
), decided as (
  select *,
         case when not is_judged then null when luck < 12 then 'FAIL' when luck < 30
              then 'UNDETERMINED' else 'PASS' end as order_safe,
         case when not is_judged then null when luck between 8 and 20 then 'FAIL'
              when luck between 25 and 60 then 'UNDETERMINED' else 'PASS' end as coverage,
         case when not is_judged then '{}'::text[] else array_remove(array[
              case when luck < 12 then 'ORDER_VIOLATION' end,
              case when luck between 12 and 29 then 'ORDER_UNCERTAIN' end,
              case when luck between 8 and 40 then 'PARTIAL' end,
              case when luck = 99 and spread < 100 then 'CONTRADICTED' end,
              case when luck < 70 then 'SAFETY_CRITICAL' end], null) end as codes
    from judged
)
insert into review_call (
  id, site_id, source, external_id, title, state, needs_mapping, catalog_version_id, ended,
  call_date, attributes, speakers, flags, findings, turn_count, revision, source_sha256,
  transcript_digest, wrapped_key, received_at, coverage, order_safe, call_success, flagged,
  critical, row_flags, search, queue_class, queue_phase, queue_code)
select gen_random_uuid(), site, 'bulk', 'bulk-' || lpad(number::text, 7, '0'),
       'Call ' || number || ' about benefit ' || md5(number::text), state,
       case when state = 'NEEDS_MAPPING' then 'Two speakers have no role.' else '' end,
       version, true, date '2026-01-01' + spread / 4, '{"type": "bulk"}', '{}', '[]', '[]',
       20 + spread %% 200, 1, encode(sha256(number::text::bytea), 'hex'),
       encode(sha256(('t' || number)::bytea), 'hex'), '\\x01',
       timestamptz '2026-11-29 12:00+00' - number / 20 * interval '7 minutes',
       coverage, order_safe,
       case when order_safe is null then null
            when order_safe = 'FAIL' or coverage = 'FAIL' then 'FAIL'
            when order_safe = 'UNDETERMINED' or coverage = 'UNDETERMINED' then 'UNDETERMINED'
            else 'PASS' end,
       cardinality(codes), ('SAFETY_CRITICAL' = any (codes))::int, codes,
       array_to_tsvector(array['bulk', lpad(number::text, 7, '0'), 'call', number::text, 'about',
                               'benefit', md5(number::text), 'pid', 'csv']
                         || string_to_array(lower(array_to_string(codes, '_')), '_')),
       case when not is_judged then null when luck < 30 then 1 when luck < 70 then 2
            when cardinality(codes) > 0 then 3 when spread %% 20 = 0 then 4 else 7 end,
       case when cardinality(codes) > 0 then 'PID' else '' end, coalesce(codes[1], '')
  from decided
"""
_AT_ONCE = 20_000


def fill_calls(
    database: str, count: int, *, sites: Sequence[UUID], versions: Sequence[UUID]
) -> None:
    """Write calls spread over sites and catalog versions, twenty to a moment, and analyse them."""
    with psycopg.connect(servers.owner_words(database), autocommit=True) as connection:
        for first in range(1, count + 1, _AT_ONCE):
            connection.execute(
                _INSERT,
                {
                    "first": first,
                    "last": min(first + _AT_ONCE - 1, count),
                    "sites": list(sites),
                    "versions": list(versions),
                },
            )
        connection.execute("vacuum (analyze) review_call")


_DECIDED = """
insert into review_prefillrun (id, call_id, state, attempts, most_attempts, transcript_digest,
  catalog_digest, engine, queued_at, started_at, finished_at, failure)
select gen_random_uuid(), c.id, 'DONE', 1, 3, c.transcript_digest, v.digest, 'bulk', c.received_at,
       c.received_at, c.received_at, ''
  from review_call c join catalogs_catalogversion v on v.id = c.catalog_version_id
 where c.source = 'bulk';
insert into review_proposedrow (run_id, phase, start_state, start_turn, finish_state, finish_turn,
  verdict, required, volunteered, flags, "row")
select r.id, p, 'TURN', 1, 'TURN', 2, 'PASS', 'YES', false, '{}',
       jsonb_build_object('start_source', p || '.starts[0]')
  from review_prefillrun r, unnest(array['PID', 'CSV', 'DCC', 'END']) p where r.engine = 'bulk';
insert into review_phaserow (call_id, phase, position, start_state, start_turn, finish_state,
  finish_turn, verdict, required, volunteered, flags, touched_at, standing, decided_by_id,
  decided_at)
select r.call_id, p, n, 'TURN', 1 + (hashint4(n::int) & 1), 'TURN', 2, 'PASS', 'YES', false,
       case when n = 1 then array['SAFETY_CRITICAL'] else '{}' end, c.received_at, 'CONFIRMED',
       %(by)s, c.received_at
  from review_prefillrun r join review_call c on c.id = r.call_id,
       unnest(array['PID', 'CSV', 'DCC', 'END']) with ordinality one(p, n) where r.engine = 'bulk';
insert into review_decision (call_id, number, run_id, kind, phase, fact, value, revision, key,
  by_id, role, at, evidence_seen, spent_ms)
select w.call_id, w.position, run.id, 'CONFIRM', w.phase, '', '{}', 1, gen_random_uuid(),
       %(by)s, 'reviewer', w.decided_at, (hashint8(w.id) & 63) <> 0,
       (hashint8(w.id) & 65535)
  from review_phaserow w join review_prefillrun run on run.call_id = w.call_id
 where run.engine = 'bulk';
"""


def fill_decisions(database: str, *, by: UUID) -> None:
    """Have one person confirm four rows of every bulk call, when the call came; analyse."""
    with psycopg.connect(servers.owner_words(database), autocommit=True) as connection:
        for statement in _DECIDED.split(";")[:-1]:
            connection.execute(statement, {"by": by})
        for table in ("prefillrun", "proposedrow", "phaserow", "decision"):
            connection.execute(f"vacuum (analyze) review_{table}")
