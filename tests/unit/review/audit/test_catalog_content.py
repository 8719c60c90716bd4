"""The content of a catalog, as audits hold it, decides as the catalog itself does."""

from __future__ import annotations

import hashlib
import json

import pytest

from catalogs.core.canonical import canonical_bytes
from catalogs.core.document import load_document
from catalogs.shipped import SHIPPED_CATALOGS
from oipsce_site.signing.core.refusals import Refused
from review.core.audit.catalog_content import deciding_inputs, read_plan
from review.core.predicates import plan_of

STEMS = [path.stem for path in SHIPPED_CATALOGS]


def content_of(stem: str) -> tuple[bytes, str]:
    [path] = [path for path in SHIPPED_CATALOGS if path.stem == stem]
    document, _ = load_document(path.read_bytes())
    assert document is not None
    kept = {key: one for key, one in document.data.items() if key not in ("status", "approvers")}
    return canonical_bytes(kept), document.digest


@pytest.mark.parametrize("stem", STEMS)
def test_each_shipped_catalog_has_one_plan_either_way(stem: str) -> None:
    [path] = [path for path in SHIPPED_CATALOGS if path.stem == stem]
    document, _ = load_document(path.read_bytes())
    assert document is not None
    assert read_plan(*content_of(stem)) == plan_of(document)


@pytest.mark.parametrize("old", [b'"catalog"', b"}", b"1"])
def test_content_of_another_digest_is_refused(old: bytes) -> None:
    content, digest = content_of("micro")
    with pytest.raises(Refused, match="E-CATALOG"):
        read_plan(content.replace(old, b"", 1), digest)


def test_content_that_is_no_catalog_is_refused() -> None:

    values: list[object] = [{}, {"phases": 5}, {"phases": [1]}, [], "text"]
    for value in values:
        content = json.dumps(value).encode()
        with pytest.raises(Refused, match="E-CATALOG"):
            read_plan(content, hashlib.sha256(content).hexdigest())


def test_inputs_that_decide_are_those_that_conditions_read() -> None:
    content, digest = content_of("benefits_verification")
    kinds = {kind for kind, _ in deciding_inputs(read_plan(content, digest))}
    assert kinds <= {"fact", "attribute"}
    assert deciding_inputs(read_plan(content, digest))
