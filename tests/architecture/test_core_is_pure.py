"""The core runs where there is no Django: shown in a fresh interpreter, not by reading imports."""

import subprocess
import sys

import pytest

from oipsce_site.services.layout import CHECKOUT
from tests.architecture.source import PACKAGES, modules

CORES = ("catalogs.core", "review.core", "oipsce_site.ledger.core", "oipsce_site.signing.core")
FORBIDDEN = ("django", "celery", "redis", "psycopg", "allauth")

_PROGRAM = """
import importlib, sys
for name in sys.argv[2].split(","):
    importlib.import_module(name)
found = sorted(set(sys.argv[1].split(",")) & {name.split(".")[0] for name in sys.modules})
sys.exit(f"loaded: {found}" if found else 0)
"""


@pytest.mark.parametrize("core", CORES)
def test_the_core_loads_no_django(core: str) -> None:
    names = _modules_of(core)
    assert names, f"{core} has no module"
    words = [sys.executable, "-c", _PROGRAM, ",".join(FORBIDDEN), ",".join(names)]
    done = subprocess.run(words, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def _modules_of(core: str) -> list[str]:
    prefix = tuple(core.split("."))
    names = []
    for module in modules(*PACKAGES):
        parts = module.parts
        # A __main__ does its work on import.
        if parts[: len(prefix)] == prefix and parts[-1] != "__main__":
            names.append(".".join(parts).removesuffix(".__init__"))
    return names
