"""Patterns that hang an engine that backtracks: refused, or matched in time linear in the text.

That those which are taken are linear is timed by tests/bench, which fails where one is not.
"""

from __future__ import annotations

import pytest

from catalogs.core.linter import guard
from tests.bench.__main__ import EVIL
from tests.unit.catalogs.catalog_text import edited
from tests.unit.catalogs.test_linter import start

#: What only an engine that backtracks can do: look-around, back-references, possessive and atomic
#: groups, conditionals; and a count that would blow the automaton up.
REFUSED = (
    "copay(?! waived)",
    "(?<=not )covered",
    r"(\w+) \1",
    "a++b",
    "(?>a+)b",
    "(a)?(?(1)b|c)",
    "a.{0,1001}b",
)


@pytest.mark.parametrize("pattern", REFUSED)
def test_what_needs_backtracking_is_refused(pattern: str) -> None:
    assert "E401" in {finding.code for finding in guard(edited(start(pattern)))}


@pytest.mark.parametrize("pattern", [pattern for pattern, _ in EVIL])
def test_what_is_taken_is_among_what_the_bench_times(pattern: str) -> None:
    assert guard(edited(start(pattern))) == ()
