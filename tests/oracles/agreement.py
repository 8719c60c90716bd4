"""Our figures of agreement beside scikit-learn's, statsmodels' and krippendorff's (by hand).

`make agreement-oracles` makes an environment, installs the three there, has them judge 1,000 random
tables of two raters and 1,000 of more, and throws the environment away. None of the three is a
dependency of the product or its tests.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from operator import eq
from pathlib import Path
from typing import Any

from review.core.agreement import COEFFICIENTS, Undefined
from tests.reference.random_ratings import random_tables

PACKAGES = ("scikit-learn>=1.5,<2", "statsmodels>=0.14,<1", "krippendorff>=0.8,<1")
JUDGES = Path(__file__).with_name("agreement_judges.py")
TABLES = 1_000


def main() -> int:
    """Print one line a judge; 1 where one of them says otherwise."""
    two = random_tables(TABLES, seed=2026, most_raters=2)
    asked = [_asked(table) for table in (*two, *random_tables(TABLES, seed=2026))]
    with tempfile.TemporaryDirectory(prefix="agreement-oracles-") as folder:
        home = Path(folder)
        venv.create(home / "venv", with_pip=True)
        python = str(home / "venv" / "bin" / "python")
        pip = [python, "-m", "pip", "install", "-qq", "--disable-pip-version-check", *PACKAGES]
        subprocess.run(pip, check=True)
        given = home / "asked.json"
        given.write_text(json.dumps(asked), encoding="utf-8")
        return subprocess.run([python, str(JUDGES), str(given)], check=False).returncode


def _asked(table: Sequence[Sequence[str | None]]) -> dict[str, Any]:
    """Return a table with our values; None where we say that there is none."""
    ours = {name: of(table, eq, ()).value for name, of in COEFFICIENTS.items()}
    return {
        "table": table,
        "ours": {
            name: None if isinstance(value, Undefined) else float(value)
            for name, value in ours.items()
        },
    }


if __name__ == "__main__":
    sys.exit(main())
