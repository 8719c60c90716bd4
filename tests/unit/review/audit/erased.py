"""An audit of a site at which one call was erased, or is only said to be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import Any

from oipsce_site.ledger.core.entry import Entry, build_body, make_entry
from review.core.audit.names import ERASE, Why, erased_name
from review.core.export.order import UniverseLine
from tests.unit.review.audit.spoiling import Files, inside
from tests.unit.review.audit.world import WORKER, World, shipped_calls
from tests.unit.signing.rings import NOON

IN_IT, GONE = shipped_calls()[:2]
NAME = erased_name(GONE.call_id)


@cache
def erased_audit(*, is_erased: bool = True) -> bytes:
    """Return an audit that says the second call was erased; its chain says so where it was."""
    chain = (*GONE.chain, _erase()) if is_erased else GONE.chain
    made = World([IN_IT, replace(GONE, chain=chain)])
    made.seal(NOON - timedelta(minutes=5))
    universe = (UniverseLine(IN_IT.call_id, Why.INCLUDED), UniverseLine(GONE.call_id, Why.ERASED))
    return made.build(made.order(universe=universe, erased={GONE.call_id: chain[-1:]}))


def spoilt(change: Callable[[Files], object]) -> Callable[[], bytes]:
    """Return what changes files of that audit and signs it anew."""

    def act(files: Files, _: dict[str, Any]) -> None:
        change(files)

    return lambda: inside(act, data=erased_audit())


def _erase() -> Entry:
    last = GONE.chain[-1]
    body = build_body(kind=ERASE, by=WORKER, request_id="r", build="test", facts={"ground": "wish"})
    return make_entry(chain_id=last.chain_id, head=last, at_us=last.at_us + 1_000_000, body=body)
