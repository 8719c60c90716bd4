"""A record that says it was signed together with others, and was not, or must not be."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from oipsce_site.signing.core.plain import write_json
from oipsce_site.signing.core.refusals import Refused
from review.core.signoff.batching import BATCH_DOMAIN
from review.core.signoff.passkey import assertion_to_json
from review.core.signoff.record import signoff_digest
from tests.unit.review.audit.signing import PASSKEY, assert_with
from tests.unit.review.audit.spoiling import RECORD, edit, inside
from tests.unit.review.audit.world import verify


def batched(digests: Callable[[str], list[str]]) -> Callable[[Any], None]:
    """Return a change that has the first record signed together with others by its own key."""

    def act(value: dict[str, Any]) -> None:
        own = value["signoffs"][0]
        digest = signoff_digest(base64.b64decode(own["record"])).hex()
        batch = digests(digest)
        signed = hashlib.sha256(BATCH_DOMAIN + write_json(batch)).digest()
        answer = replace(assert_with(PASSKEY, signed), batch=tuple(batch))
        own["assertion"] = {**assertion_to_json(answer), "batch": batch}

    return act


def alone_in_a_batch(value: dict[str, Any]) -> None:
    """Say that what was signed alone was signed in a batch."""
    own = value["signoffs"][0]
    digest = signoff_digest(base64.b64decode(own["record"])).hex()
    own["assertion"]["batch"] = [digest]


OTHERS = [f"{number:064x}" for number in range(1, 30)]
BATCHES = [
    ("batch of a call at a critical edge", lambda own: sorted([own, *OTHERS[:2]]), "E-BATCH"),
    ("batch without the record", lambda own: OTHERS[:3], "E-BATCH"),
    ("batch of twenty-six", lambda own: sorted([own, *OTHERS[:25]]), "E-BATCH"),
    ("batch out of order", lambda own: sorted([own, *OTHERS[:2]], reverse=True), "E-BATCH"),
    ("batch with one record twice", lambda own: sorted([own, own, *OTHERS[:2]]), "E-BATCH"),
    ("batch of no digests", lambda own: sorted([own, "x"]), "E-BATCH"),
    ("batch of nothing", lambda own: [], "E-BATCH"),
]


@pytest.mark.parametrize(
    ("digests", "code"), [one[1:] for one in BATCHES], ids=[one[0] for one in BATCHES]
)
def test_a_spoiled_batch_is_refused(digests: Callable[[str], list[str]], code: str) -> None:
    with pytest.raises(Refused) as refused:
        verify(inside(edit(RECORD, batched(digests))))
    assert refused.value.code == code


def test_what_was_signed_alone_is_no_batch_of_one() -> None:
    with pytest.raises(Refused) as refused:
        verify(inside(edit(RECORD, alone_in_a_batch)))
    assert refused.value.code == "E-PASSKEY"
