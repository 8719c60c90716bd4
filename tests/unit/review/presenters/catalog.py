"""The shipped micro case as the cascade judges it, for whole pages."""

from __future__ import annotations

from catalogs.core.document import Document, load_document
from oipsce_site.services.layout import CHECKOUT
from review.core.cascade.pipeline import prefill, prepare
from review.core.evaluation import ENGINE_VERSION, Report, build_report
from review.core.parsers import parse_calls
from review.core.transcript import Call


def shipped_catalog(name: str) -> Document:
    """Load a shipped catalog by its file's name."""
    data = (CHECKOUT / "catalogs" / "shipped" / f"{name}.yaml").read_bytes()
    document, findings = load_document(data)
    assert document is not None, findings
    return document


def shipped_call(name: str) -> Call:
    """Read the first call of a shipped case by its file's name."""
    data = (CHECKOUT / "review" / "shipped" / "cases" / f"{name}.json").read_bytes()
    return parse_calls(data, name=name).calls[0]


def judged(call: Call, document: Document) -> Report:
    """Return the report of a call by the cascade."""
    return build_report(call, document, prefill(call, prepare(document)), engine=ENGINE_VERSION)
