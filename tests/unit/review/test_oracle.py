"""Our rows and verdicts against the independent reference program, on every case and variant.

The reference is two-valued and lives outside the repository; the test is skipped without it.
"""

from __future__ import annotations

import importlib.util
import json
import math
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from catalogs.core.document import load_document
from review.core.cascade.pipeline import prepare
from review.core.evaluation import judge_call
from review.core.parsers import parse_calls

SHARED = Path(__file__).resolve().parents[4] / "shared"
pytestmark = [
    pytest.mark.skipif(not SHARED.is_dir(), reason="the shared folder is not laid out here"),
    # The reference program leaves its files open; that is not our bug to fail on.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


@pytest.fixture(scope="module")
def oracle() -> ModuleType:
    spec = importlib.util.spec_from_file_location("oracle", SHARED / "oracle" / "check_catalogs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def expectations(oracle: ModuleType, path: Path) -> Iterator[tuple[str, dict[str, Any], Any]]:
    for label, call, result, _ in oracle.run_tests(oracle.load(str(path))):
        yield label, json.loads(json.dumps(call, default=str)), result


CATALOGS = sorted((SHARED / "catalogs").glob("*.yaml")) if SHARED.is_dir() else []


@pytest.mark.parametrize("path", CATALOGS, ids=[path.stem for path in CATALOGS])
def test_every_case_and_variant_agrees_with_the_reference(oracle: ModuleType, path: Path) -> None:
    document, findings = load_document(path.read_bytes())
    assert document is not None, findings
    cascade = prepare(document)
    checked = 0
    for label, raw, expected in expectations(oracle, path):
        parsed = parse_calls(json.dumps(raw).encode("utf-8"), name=f"{label}.json")
        report = judge_call(parsed.calls[0], cascade).report
        ours = {
            row.phase: (_point(row.start), _point(row.finish), row.verdict) for row in report.rows
        }
        theirs = {
            phase: (_finite(row["s"]), _finite(row["e"]), "pass" if row["v"] else "fail")
            for phase, row in expected["rows"].items()
        }
        assert ours == theirs, label
        assert {row.phase: row.required for row in report.rows} == expected["required"], label
        bits = ("coverage", "order_safe", "call_success")
        found = [getattr(report, bit) for bit in bits]
        assert found == ["pass" if expected[bit] else "fail" for bit in bits], label
        critical = [(f"{e.parent}->{e.child}", e.ok) for e in report.edges if e.critical]
        assert sorted(critical) == sorted(expected["edges"]), label
        checked += 1
    assert checked > 1


def _point(point: object) -> object:
    return None if point == "never" else point


def _finite(point: float) -> float | None:
    return None if point == math.inf else point
