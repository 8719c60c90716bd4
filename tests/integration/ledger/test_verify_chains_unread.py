"""`verify_chains | head`: a reader that goes changes no exit code and causes no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

#: The command as from a shell, on chains that are given: this is about its output alone.
PROGRAM = """
import sys
from uuid import UUID
import django
django.setup()
from django.core.management import call_command
from oipsce_site.ledger.management.commands import verify_chains
bad = sys.argv[1] == "bad"
verify_chains.check_triggers = lambda: ["trigger verify is missing"] if bad else []
verify_chains.chain_ids = lambda: [UUID(int=n) for n in range(1_000)]
verify_chains.verify = lambda chain_id: ()
from django.conf import settings
settings.SIGNING_KEY_DIR = ""
call_command("verify_chains")
"""


@pytest.mark.parametrize(("state", "code"), [("good", 0), ("bad", 1)])
def test_the_exit_code_says_how_the_chains_stand(state: str, code: int) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, state],
            cwd=ROOT,
            env={**os.environ, "DJANGO_SETTINGS_MODULE": "oipsce_site.settings.dev"},
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
            timeout=60,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (code, b"")
