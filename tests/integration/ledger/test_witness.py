"""The witness as it is handed out: one file, run by Python alone, beside a log that grows."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from oipsce_site.ledger.core.merkle import Tree, leaf_hash
from oipsce_site.signing.core.note import (
    Checkpoint,
    cosigned_at,
    open_checkpoint,
    sign_checkpoint,
)
from review.actions.standalone import program
from tests.unit.signing.rings import private, public

LOG = "oip-sce.test/log/1"
LEAVES = [leaf_hash(bytes([number])) for number in range(30)]
REWRITTEN = [leaf_hash(b"x"), *LEAVES[1:]]


@dataclass(frozen=True)
class Witness:
    """The file and its folder."""

    path: Path
    folder: Path

    def run(self, *words: str, text: str = "") -> subprocess.CompletedProcess[str]:
        # -I: neither the checkout nor anything of the user's is importable.
        command = [sys.executable, "-I", str(self.path), str(self.folder), *words]
        return subprocess.run(command, input=text, capture_output=True, text=True, check=False)

    def cosign(self, offered: str) -> subprocess.CompletedProcess[str]:
        return self.run(*("cosign", "--log", LOG, "--log-key", public("log").hex()), text=offered)


@pytest.fixture
def witness(tmp_path: Path) -> Witness:
    path = tmp_path / "oip_witness.py"
    path.write_bytes(program("witness"))
    made = Witness(path, tmp_path / "state")
    assert made.run("init", "witness.test/w").returncode == 0
    return made


def offer(size: int, since: int = 0, leaves: list[bytes] = LEAVES, key: str = "log") -> str:
    tree = Tree(leaves)
    note = sign_checkpoint(Checkpoint(LOG, size, tree.root(size)), private(key))
    proof = tree.consistency(since, size) if 0 < since <= size else []
    return json.dumps(
        {"note": note.decode(), "since": since, "proof": [one.hex() for one in proof]}
    )


def test_it_cosigns_a_log_that_grows(witness: Witness) -> None:
    name, key, _ = witness.run("show").stdout.split()
    for size, since in [(5, 0), (9, 5), (9, 9), (30, 9)]:
        done = witness.cosign(offer(size, since))
        assert done.returncode == 0, done.stderr
        note = done.stdout.encode()
        assert open_checkpoint(note, LOG, public("log"), "it").size == size
        assert cosigned_at(note, name, bytes.fromhex(key)) > 0


@pytest.mark.parametrize(
    ("offered", "code"),
    [
        (offer(12, 9, REWRITTEN), "E-CONSISTENCY"),
        (offer(9, 9, REWRITTEN), "E-CONSISTENCY"),
        (offer(8, 0), "E-ROLLBACK"),
        (offer(12, 5), "E-CONSISTENCY"),
        (offer(12, 0), "E-CONSISTENCY"),
        (offer(12, 9, key="other"), "E-NOTE-SIG"),
        (offer(12, 9).replace("proof", "proofs"), "E-SHAPE"),
        ("{", "E-JSON"),
    ],
    ids=[
        *("rewritten", "another tree of one size", "shrunk", "proof from elsewhere", "no proof"),
        *("another key", "another form", "no JSON"),
    ],
)
def test_it_refuses_what_does_not_follow(witness: Witness, offered: str, code: str) -> None:
    assert witness.cosign(offer(9)).returncode == 0
    before = witness.run("show").stdout
    done = witness.cosign(offered)
    assert (done.returncode, done.stdout) == (1, "")
    assert code in done.stderr
    assert witness.run("show").stdout == before


def test_its_key_is_for_its_owner_and_is_never_made_anew(witness: Witness) -> None:
    assert (witness.folder / "witness.key").stat().st_mode & 0o777 == 0o600
    assert witness.run("init", "witness.test/v").returncode == 1


def test_bad_usage_is_3(witness: Witness) -> None:
    assert witness.run("sign").returncode == 3
    assert Witness(witness.path, witness.folder / "none").run("show").returncode == 3
