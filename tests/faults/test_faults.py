"""F4 to F8 of the fault table: whatever dies, each call is there once and is filled once.

A small round here; OIPSCE_FAULT_CALLS=1000 (`make soak`) is the number the product is held to.
Source: audit_security 2f.
"""

from __future__ import annotations

import os
import signal
import sys
import time

import pytest

from oipsce_site.services import postgres, valkey
from tests.faults.crew import Crew, kill

CALLS = int(os.environ.get("OIPSCE_FAULT_CALLS", "60"))
AWAY_SECONDS = float(os.environ.get("OIPSCE_FAULT_AWAY", "3"))
DONE = "select count(*) from review_call where state = 'AWAITING_REVIEW'"
PARTLY = "select count(*) > 0 from review_evaluation"


def hand_in(team: Crew) -> None:
    team.run("prepare", str(CALLS))


def say(what: str) -> None:
    sys.stdout.write(f"{what}: {CALLS} calls, each there once and filled once\n")


def check_each_once(team: Crew) -> None:
    """Nothing lost, nothing twice, every chain whole."""
    team.wait_for(DONE, CALLS)
    team.wait_for("select count(*) from review_importbatch where state = 'DONE'", 1)
    for query in (
        "select count(*) from review_call",
        "select count(*) from review_importline where word = 'CREATED'",
        "select count(distinct position) from review_importline",
        "select count(*) from review_prefillrun where state = 'DONE' and attempts <= 3",
        "select count(*) from review_evaluation",
        "select count(distinct call_id) from review_evaluation",
    ):
        assert team.number(query) == CALLS, query
    phases = team.number("select count(distinct phase) from review_proposedrow")
    assert team.number("select count(*) from review_phaserow") == CALLS * phases
    assert team.number("select count(*) from review_proposedrow") == CALLS * phases
    assert "broken" not in team.run("verify")


@pytest.mark.parametrize(
    "stage",
    [
        *("claimed", "regex", "rules", "before commit", "after commit"),
        *("import: sealed", "import: before commit", "import: after commit"),
    ],
)
def test_f4_a_killed_child_at_each_stage(stage: str, team: Crew) -> None:
    hand_in(team)
    team.worker(stage, times=1)
    check_each_once(team)
    assert team.deaths() == 1, "the kill never came"
    say(f"F4, killed at {stage}")


@pytest.mark.parametrize("stage", ["claimed", "before commit", "after commit"])
def test_f4_a_child_killed_in_a_what_if(stage: str, team: Crew) -> None:
    hand_in(team)
    first = team.worker()
    team.wait_for(DONE, CALLS)
    kill(first.pid, signal.SIGTERM)
    team.run("ask_what_if")
    team.worker(f"what-if: {stage}", times=1)
    team.wait_for("select count(*) from review_whatif where state = 'DONE'", 1)
    assert team.deaths() == 1, "the kill never came"
    for query in (
        "select count(*) from review_whatifline",
        "select count(distinct call_id) from review_whatifline",
        "select done from review_whatif",
        "select (result -> 'changes' -> 'FAIL_TO_PASS' ->> 0)::int from review_whatif",
        "select sum((counts -> 'changes' -> 'FAIL_TO_PASS' ->> 0)::int) from review_whatifportion",
    ):
        assert team.number(query) == CALLS, query
    assert team.number("select count(*) from catalogs_whatifreport") == 1
    assert "broken" not in team.run("verify")
    say(f"F4, killed in a what-if, {stage}")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGQUIT])
def test_f5_a_killed_worker_is_replaced(number: signal.Signals, team: Crew) -> None:
    hand_in(team)
    first = team.worker()
    team.wait_for(PARTLY, 1)
    os.killpg(first.pid, number)
    first.wait(timeout=60)
    team.worker()
    check_each_once(team)
    say(f"F5, worker ended by {number.name}")


def test_f6_bells_that_ring_five_times_at_once_fill_once(team: Crew) -> None:
    hand_in(team)
    team.run("ring", "5")
    team.worker()
    team.worker()
    check_each_once(team)
    say("F6, five bells at once")


def test_f7_a_broker_that_is_emptied(team: Crew) -> None:
    hand_in(team)
    team.worker()
    team.wait_for(PARTLY, 1)
    team.run("empty_broker")
    check_each_once(team)
    say("F7, broker emptied")


def test_f7_a_broker_that_is_away(team: Crew) -> None:
    hand_in(team)
    team.worker()
    team.wait_for(PARTLY, 1)
    kill(team.broker_pid())
    assert "200" in team.run("ask_site"), "pages must not need the broker"
    time.sleep(AWAY_SECONDS)
    valkey.start(team.profile)
    check_each_once(team)
    say(f"F7, broker away for {AWAY_SECONDS:g} s")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGQUIT], ids=["fast", "immediate"])
def test_f8_a_database_that_restarts_under_load(number: signal.Signals, team: Crew) -> None:
    hand_in(team)
    team.worker()
    team.wait_for(PARTLY, 1)
    kill(postgres.pid(team.profile), number)
    postgres.start(team.profile)
    check_each_once(team)
    say(f"F8, database restarted by {number.name}")


def test_a_site_killed_after_its_commit_loses_no_batch(team: Crew) -> None:
    team.run("killed_site", str(CALLS))
    assert team.number("select count(*) from review_importbatch") == 1
    team.worker()
    check_each_once(team)
