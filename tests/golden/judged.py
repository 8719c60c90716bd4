"""Reads a shipped case call, in one of its variants, and judges it with a shipped catalog."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from catalogs.core.document import load_document
from catalogs.shipped import SHIPPED_CATALOGS
from review.core.cascade.pipeline import Cascade, prepare
from review.core.evaluation import Judged, judge_call
from review.core.parsers import parse_calls
from review.core.rehearsal.variants import apply_variant, variants_of
from review.shipped import SHIPPED_CASES


@cache
def cascade_of(stem: str) -> Cascade:
    """Load and prepare a shipped catalog by its file name without the ending."""
    path = next(path for path in SHIPPED_CATALOGS if path.stem == stem)
    document, findings = load_document(path.read_bytes())
    assert document is not None, findings
    return prepare(document)


@cache
def item_scoped(stem: str) -> Cascade:
    """Load a shipped catalog with its edges between per-item phases compared item by item."""
    path = next(path for path in SHIPPED_CATALOGS if path.stem == stem)
    document, findings = load_document(path.read_bytes().replace(b"scope: call", b"scope: item"))
    assert document is not None, findings
    return prepare(document)


def raw_case(stem: str, variant: str | None = None, **changes: object) -> dict[str, Any]:
    """Return a case call as plain values, with one of its variants applied and keys changed."""
    path = next(path for path in SHIPPED_CASES if path.stem == stem)
    raw: dict[str, Any] = json.loads(path.read_text("utf-8"))
    if variant is not None:
        chosen = next(one for one in variants_of(raw) if one["id"] == variant)
        raw = apply_variant(raw, chosen)
    return {**raw, **changes}


def judged(catalog: str | Cascade, raw: Mapping[str, Any]) -> Judged:
    """Parse and judge a call given as plain values, with a shipped catalog or one made ready."""
    cascade = cascade_of(catalog) if isinstance(catalog, str) else catalog
    result = parse_calls(json.dumps(raw, default=float).encode("utf-8"), name="case.json")
    assert len(result.calls) == 1, result.findings
    return judge_call(result.calls[0], cascade, findings=result.findings)


def numbers(one: Judged) -> dict[str, tuple[object, object, str]]:
    """Return start, finish and verdict of every row, as they are written in a report."""
    return {row.phase: (row.start, row.finish, row.verdict) for row in one.report.rows}


def verdicts(one: Judged) -> tuple[str, str, str]:
    """Return Coverage, OrderSafe and CallSuccess."""
    report = one.report
    return report.coverage, report.order_safe, report.call_success
