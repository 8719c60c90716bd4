"""Many warnings of one code share a line, so that they do not hide the others."""

from __future__ import annotations

import json
from pathlib import Path

from catalogs.core.findings import error, warning
from review.management.check_report import A_FEW, finding_line, finding_lines
from review.management.checking import Located
from tests.integration.commands.test_lint_catalog import EVERY, Run, run

__all__ = ["run"]


@EVERY
def test_many_warnings_of_one_code_share_a_line(run: Run, name: str) -> None:
    named = "debt-collection"
    findings = json.loads(run(name, named, "--format", "json")[1])["files"][0]["findings"]
    many = [one for one in findings if one["code"] == "W706"]
    few = [one for one in findings if one["code"] != "W706"]
    assert len(many) > 20, "the others would not be hidden"
    lines = run(name, named)[1].splitlines()
    (shared,) = [line for line in lines if " W706 " in line]
    assert f"{many[0]['where']}: {many[0]['text']}" in shared
    assert shared.endswith(f"(and {len(many) - 1} more W706; --all lists them)")
    for one in few:
        assert any(f"{one['code']} {one['where']}: {one['text']}" in line for line in lines)


@EVERY
def test_all_lists_every_warning_and_sarif_has_them_anyway(run: Run, name: str) -> None:
    named = "debt-collection"
    findings = json.loads(run(name, named, "--format", "json")[1])["files"][0]["findings"]
    out = run(name, named, "--all")[1]
    assert all(f"{one['code']} {one['where']}: {one['text']}" in out for one in findings)
    assert "--all" not in out
    (log,) = json.loads(run(name, named, "--format", "sarif")[1])["runs"]
    assert len(log["results"]) == len(findings)


def test_a_few_warnings_and_all_errors_are_listed_one_by_one() -> None:
    path = Path("a.yaml")
    few = [Located(path, warning("W522", f"A[{n}]", "widen it", n)) for n in range(A_FEW)]
    errors = [Located(path, error("E702", f"B[{n}]", "mend it", n)) for n in range(9)]
    lines = list(finding_lines([*few, *errors], every=False))
    assert lines == [finding_line(one) for one in [*few, *errors]]


def test_the_same_code_in_two_files_is_counted_apart() -> None:
    here, there = Path("a.yaml"), Path("b.yaml")
    found = [
        Located(path, warning("W706", f"A[{n}]", "add a test", n + 1))
        for path in (here, there)
        for n in range(A_FEW + 1)
    ]
    assert list(finding_lines(found, every=False)) == [
        f"{path}:1: W706 A[0]: add a test (and {A_FEW} more W706; --all lists them)"
        for path in (here, there)
    ]
