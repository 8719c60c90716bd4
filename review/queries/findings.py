"""The findings of a call's import, as they were stored with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from catalogs.core.findings import Finding, Severity
from review.models import Call


def findings_of(call_id: UUID) -> tuple[Finding, ...]:
    """Return what the import had to say about a call. Raises Call.DoesNotExist."""
    plain = Call.objects.values_list("findings", flat=True).get(pk=call_id)
    return tuple(read_finding(finding) for finding in plain)


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
