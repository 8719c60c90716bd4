"""The result of a rehearsal, and its plain JSON values for whoever stores or prints it.

It holds counts, places and sentences of the catalog, and the labels of calls, never their words.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from catalogs.core.findings import Finding, Severity
from review.core.evaluation import ENGINE_VERSION
from review.core.rehearsal.examples import Tally
from review.core.rehearsal.seen import Coverage

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class TestResult:
    """One run: its label, the place of its test, every difference, and the verdicts."""

    __test__ = False  # no test of pytest's

    label: str
    where: str
    differences: tuple[str, ...]
    coverage: str
    order_safe: str
    call_success: str


@dataclass(frozen=True, slots=True)
class MutantResult:
    """One wrong change and the first test or sentence that notices it, None where none does."""

    kind: str
    where: str
    text: str
    noticed_by: str | None


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What the engine says of one document over its own examples and tests."""

    digest: str
    catalog: str
    version: str
    findings: tuple[Finding, ...]
    coverage: Coverage
    tests: tuple[TestResult, ...]
    sentences: tuple[Tally, ...]
    mutants: tuple[MutantResult, ...]
    beyond_rules: int = 0
    engine: str = ENGINE_VERSION

    @property
    def green(self) -> bool:
        """Whether it may be published: no error, tests there, and both sides of all seen."""
        wrong = any(finding.severity is Severity.ERROR for finding in self.findings)
        return not wrong and self.coverage.runs > 0 and self.coverage.whole

    @property
    def counts(self) -> dict[str, int]:
        """The numbers a page shows first."""
        kinds = Counter(finding.severity for finding in self.findings)
        killed = sum(1 for mutant in self.mutants if mutant.noticed_by is not None)
        return {
            "errors": kinds[Severity.ERROR],
            "warnings": kinds[Severity.WARNING],
            "tests": len(self.tests),
            "failing": sum(1 for test in self.tests if test.differences),
            "sentences": sum(one.met + one.missed for one in self.sentences),
            "sentences_missed": sum(one.missed for one in self.sentences),
            "sentences_beyond_rules": self.beyond_rules,
            "mutants": len(self.mutants),
            "killed": killed,
            "survivors": len(self.mutants) - killed,
        }


def rehearsal_to_json(rehearsal: Rehearsal) -> Plain:
    """Write a rehearsal as plain JSON values."""
    plain: Plain = _listed(asdict(rehearsal))
    plain["findings"] = [finding_to_json(finding) for finding in rehearsal.findings]
    plain["counts"] = rehearsal.counts
    plain["green"] = rehearsal.green
    return plain


def finding_to_json(finding: Finding) -> Plain:
    """Write a finding as plain JSON values."""
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "where": finding.where,
        "text": finding.text,
        "line": finding.line,
    }


def _listed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _listed(inner) for key, inner in value.items()}
    if isinstance(value, (tuple, list)):
        return [_listed(inner) for inner in value]
    return value
