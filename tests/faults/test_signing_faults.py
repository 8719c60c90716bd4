"""F1 to F3, F10 and F18 of the fault table: killed while it writes, signs, seals or exports.

They share a database; each kills a process of its own. Source: audit_security 2f.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from oipsce_site.services import postgres
from oipsce_site.services.layout import CHECKOUT
from tests.faults.crew import PATIENCE_SECONDS, Crew, crew, kill

ENOUGH = 80


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crew]:
    """Yield one crew for all, with a catalog and with keys of its own."""
    folder = tmp_path_factory.mktemp("signing")
    with crew(folder) as made:
        made.env["SIGNING_KEY_DIR"] = str(folder / "keys")
        made.run("killed_signer", "prepare")
        yield made


def test_f2_killed_between_entry_and_commit_nothing_is_signed_and_the_same_form_signs_once(
    shared: Crew,
) -> None:
    shared.run("killed_signer", "f2")


def test_f3_killed_after_the_commit_the_same_form_is_told_of_the_first_signature(
    shared: Crew,
) -> None:
    shared.run("killed_signer", "f3")


def test_f10_a_killed_sealer_and_two_at_once_leave_one_checkpoint_of_each_size(
    shared: Crew,
) -> None:
    shared.run("killed_signer", "f10")


def test_f18_of_an_export_killed_half_way_nothing_is_served_until_another_ends_it(
    shared: Crew,
) -> None:
    shared.run("killed_signer", "f18")


def test_f1_a_killed_database_has_kept_every_entry_that_was_acknowledged(shared: Crew) -> None:
    told = shared.folder / "told"
    with told.open("wb") as out:
        words = [sys.executable, "-m", "tests.faults.append"]
        writers = subprocess.Popen(words, env=shared.env, cwd=CHECKOUT, stdout=out)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while told.read_bytes().count(b"\n") < ENOUGH:
            assert time.monotonic() < deadline, "nothing was appended"
            time.sleep(0.05)
        kill(postgres.pid(shared.profile), signal.SIGKILL)
        assert writers.wait(timeout=PATIENCE_SECONDS) == 0
    postgres.start(shared.profile)
    acknowledged = {tuple(line.split()) for line in told.read_text().splitlines()}
    there = {
        (str(chain), str(seq)) for chain, seq in shared.ask("select chain_id, seq from audit.entry")
    }
    assert len(acknowledged) >= ENOUGH
    assert acknowledged <= there
    assert "broken" not in shared.run("verify")
