"""Every act around candidates by wording: the kind of its entry, and a state it can be done in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from review.actions.candidates import Found, add_candidates, claim_search
from review.core.cascade.candidates import Candidates
from tests.adjudicated import CATALOG, heard_call
from tests.factories import publish

Act = Callable[[], object]


def _adding() -> Act:
    publish(CATALOG)
    heard_call()
    now = datetime.now(UTC)
    started = claim_search(at=now)
    assert started is not None
    found = Found("a-model", "a" * 64, "b" * 64, (Candidates("DCC", "told", (4,)),))
    return lambda: add_candidates(started=started, found=found, by="w", at=now)


CANDIDATES: dict[str, tuple[str, Callable[[], Act]]] = {
    "add_candidates": ("candidates.find", _adding),
}

PARTS_OF_CANDIDATES = {
    # Who searches, and that a search is over: what is found has its entry.
    "claim_search": "add_candidates",
    "fail_search": "add_candidates",
    "give_up_searches": "add_candidates",
    # Of a catalog's own words; the entry names their digest.
    "keep_wording": "add_candidates",
}
