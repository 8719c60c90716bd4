"""Lint: what is wrong with a catalog, as findings with stable codes (domain section 6).

1. `guard` runs what every load runs: the rules a document must pass before it judges a call.
2. `FATAL` names the codes that leave a document without meaning; nothing may be evaluated with one.
3. `lint` runs every static rule. Rules that need the engine are `review.core.rehearsal`'s.
4. One small function per code, in a registry ordered by code; a rule reads the document only.
5. `lint_against` runs the rules that compare a document with others (E607-E610).
6. A warning may be waived in the document, with a reason, a person and a date; an error may not.
"""

from __future__ import annotations

from datetime import date

from catalogs.core.document import LOAD_FATAL, Document, load_document
from catalogs.core.findings import Finding, Severity
from catalogs.core.linter import dated
from catalogs.core.linter.against import lint_against
from catalogs.core.linter.registry import GUARD_RULES, RULES, Rule

FATAL = LOAD_FATAL | frozenset(
    {"E202", "E203", "E204", "E302", "E303", "E304", "E310"}
    | {"E401", "E404", "E405", "E410", "E422", "E425", "E611"}
)
"""No meaning: syntax, unknown keys or ids, cycles, patterns that RE2 refuses."""

__all__ = ["FATAL", "GUARD_RULES", "RULES", "Rule", "guard", "is_fatal", "lint", "lint_against"]


def guard(source: Document | bytes) -> tuple[Finding, ...]:
    """Return what loading must say about a document, or about the bytes of one. Raises nothing."""
    if isinstance(source, Document):
        return _run(source, GUARD_RULES)
    document, findings = load_document(source)
    return findings if document is None else (*findings, *guard(document))


def is_fatal(findings: tuple[Finding, ...]) -> bool:
    """Say whether any finding leaves the document without meaning."""
    return any(finding.code in FATAL for finding in findings)


def lint(document: Document, *, today: date | None = None) -> tuple[Finding, ...]:
    """Return every static finding, waived warnings left out. Without `today` no date is judged."""
    found = _run(document, RULES)
    if today is not None:
        found = (*found, *dated.overdue(document, today))
    waived = dated.waived_codes(document, today)
    return tuple(
        finding
        for finding in found
        if finding.severity is Severity.ERROR or finding.code not in waived
    )


def _run(document: Document, rules: tuple[Rule, ...]) -> tuple[Finding, ...]:
    found = [finding for rule in rules for finding in rule.check(document)]
    return tuple(dict.fromkeys(found))
