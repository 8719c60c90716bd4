"""`make bench-whatif`: both kinds of what-if over stored calls of 12 phases, by two workers.

PostgreSQL and the worker are those of the fault tests. The clock starts when the what-if is asked
for and ends with its result. `--calls 10000` measures what issue 7 asks; fewer are reckoned up.
`--copies 9` stores each call, its pre-fill and its evaluation nine times more before calls are
decided again: `--calls 10000 --copies 9` are the 100,000 of issue 7.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import psycopg

from oipsce_site.services import engines, layout, postgres
from oipsce_site.services.layout import CHECKOUT
from tests.bench.imports import hand_in, start_worker
from tests.bench.processes import cpu_seconds
from tests.faults.crew import DATABASE, PROFILE, Crew, crew

_CALLS = 2_000
_PHASES = 12
#: By kind: over how many calls, in how many seconds, on two cores (issue 7).
_TARGETS = {"READ": (10_000, 30), "DECIDE": (100_000, 20)}
_READY = "SELECT count(*) FROM review_call WHERE state = 'AWAITING_REVIEW'"
_OVER = "SELECT count(*) FROM review_whatif WHERE kind = '{}' AND state = 'DONE'"
_TOOK = "SELECT extract(epoch FROM ended_at - asked_at)::float FROM review_whatif WHERE kind = '{}'"


# What is never changed may be inserted, by the owner: copies of each call, under other ids.
_COPY = """
with new as materialized (
  select id as old, gen_random_uuid() as call, gen_random_uuid() as run,
         gen_random_uuid() as evaluation from review_call, generate_series(1, %s)),
calls as (
  insert into review_call select (jsonb_populate_record(null::review_call, to_jsonb(c) ||
    jsonb_build_object('id', call, 'source', 'copy', 'external_id', call))).*
    from new join review_call c on c.id = old),
runs as (
  insert into review_prefillrun select (jsonb_populate_record(null::review_prefillrun,
    to_jsonb(r) || jsonb_build_object('id', run, 'call_id', call))).*
    from new join review_prefillrun r on r.call_id = old)
insert into review_evaluation select (jsonb_populate_record(null::review_evaluation,
    to_jsonb(e) || jsonb_build_object('id', evaluation, 'call_id', call, 'run_id', run))).*
  from new join review_evaluation e on e.call_id = old
"""


def main(words: list[str]) -> int:
    """Print the figures; returns 1 where one of them is above its target."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.what_ifs")
    parser.add_argument("--calls", type=int, default=_CALLS)
    parser.add_argument("--copies", type=int, default=0)
    asked = parser.parse_args(words)
    calls = asked.calls
    profile = layout.profile(PROFILE)
    try:
        with tempfile.TemporaryDirectory() as folder, crew(Path(folder)) as team:
            worker = start_worker(team)
            hand_in(team, calls, _PHASES)
            team.wait_for(_READY, calls)
            missed = _measure(team, worker.pid, "READ", calls)
            _copy(team, asked.copies)
            return max(missed, _measure(team, worker.pid, "DECIDE", calls * (1 + asked.copies)))
    finally:
        engines.stop(profile, owner=os.getpid())


def _copy(team: Crew, copies: int) -> None:
    profile = team.profile
    with psycopg.connect(
        host=str(profile.postgres_sockets),
        port=profile.postgres_port,
        dbname=DATABASE,
        user=profile.owner_role,
        passfile=str(profile.passfile),
        autocommit=True,
    ) as connection:
        tables = "review_call, review_prefillrun, review_evaluation"
        # Tables that were filled a moment ago are unknown to the planner, before and after.
        connection.execute(f"analyse {tables}")
        connection.execute(_COPY, [copies])
        connection.execute(f"analyse {tables}")


def _measure(team: Crew, worker: int, kind: str, calls: int) -> int:
    roots = (worker, postgres.pid(team.profile))
    before = [cpu_seconds(root) for root in roots]
    asking = [sys.executable, "-m", "tests.bench.ask_what_if", kind]
    subprocess.run(asking, env=team.env, cwd=CHECKOUT, check=True, capture_output=True)
    team.wait_for(_OVER.format(kind), 1)
    [[seconds]] = team.ask(_TOOK.format(kind))
    used = [
        1000 * (cpu_seconds(root) - was) / calls for root, was in zip(roots, before, strict=True)
    ]
    asked, target = _TARGETS[kind]
    whole = seconds * asked / calls
    words = {"READ": "read again", "DECIDE": "decide again"}[kind]
    sys.stdout.write(
        f"{words}, {calls:,} stored calls of 100 turns and {_PHASES} phases: {seconds:.1f} s, so "
        f"{asked:,} in {whole:.0f} s ({target} s asked); {sum(used):.2f} ms of CPU a call (workers "
        f"{used[0]:.2f}, PostgreSQL {used[1]:.2f}): {sum(used) * asked / 2000:.0f} s on two "
        "idle cores\n"
    )
    return int(whole > target)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
