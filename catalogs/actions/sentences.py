"""Findings as the sentences of a refusal."""

from __future__ import annotations

from collections.abc import Iterable

from catalogs.core.findings import Finding

_MOST_SENTENCES = 20


def in_sentences(findings: Iterable[Finding]) -> str:
    """Say findings in words, the first of many."""
    return first_of(f"{finding.code} {finding.where}: {finding.text}" for finding in findings)


def first_of(sentences: Iterable[str]) -> str:
    """Return the first of many sentences, and how many more there are."""
    shown = list(sentences)
    rest = len(shown) - _MOST_SENTENCES
    return " ".join(shown[:_MOST_SENTENCES] + ([f"And {rest} more."] if rest > 0 else []))
