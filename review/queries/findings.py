"""The findings of a call's import, as they were stored with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catalogs.core.findings import Finding, Severity


def read_finding(plain: Mapping[str, Any]) -> Finding:
    """Read one finding back from the call's JSON. Raises KeyError or ValueError."""
    return Finding(
        plain["code"], Severity(plain["severity"]), plain["where"], plain["text"], plain["line"]
    )


def finding_to_plain(finding: Finding) -> dict[str, Any]:
    """Write one finding as the call's JSON keeps it."""
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "where": finding.where,
        "text": finding.text,
        "line": finding.line,
    }
