"""The actions on what-ifs with the entries that each leaves, for the table of all actions."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from uuid import UUID, uuid4

from oipsce_site.people.models import User
from oipsce_site.people.roles import Role
from review.actions.what_if_work import (
    LEASE,
    MOST_ATTEMPTS,
    ClaimedPortion,
    claim_portion,
    fail_portion,
    give_up_what_ifs,
    store_compared,
)
from review.actions.what_ifs import WhatIfWish, call_off_what_if, order_what_if
from tests.factories import NOON, case, catalog_source, make_person, make_site, prefilled, publish

Act = Callable[[], object]


def _wish() -> WhatIfWish:
    version_id = publish(catalog_source("micro"))
    prefilled(case())
    slug = "member-benefits-micro"
    return WhatIfWish("DECIDE", make_site(), slug, None, None, version_id=version_id)


def _order() -> Act:
    wish, by = _wish(), make_person(Role.CATALOG_AUTHOR)
    return lambda: order_what_if(what_if_id=uuid4(), wish=wish, by=by, at=NOON)


def _ordered(by: User) -> UUID:
    what_if_id = uuid4()
    order_what_if(what_if_id=what_if_id, wish=_wish(), by=by, at=NOON)
    return what_if_id


def _call_off() -> Act:
    by = make_person(Role.CATALOG_AUTHOR)
    what_if_id = _ordered(by)
    return lambda: call_off_what_if(what_if_id=what_if_id, by=by, at=NOON)


def _claimed(at: datetime = NOON) -> ClaimedPortion:
    claimed = claim_portion(at=at)
    assert claimed is not None
    return claimed


def _store() -> Act:
    _ordered(make_person(Role.CATALOG_AUTHOR))
    claimed = _claimed()
    return lambda: store_compared(claimed=claimed, compared=[], by="w", at=NOON)


def _fail() -> Act:
    _ordered(make_person(Role.CATALOG_AUTHOR))
    for _ in range(MOST_ATTEMPTS - 1):
        fail_portion(claimed=_claimed(), failure="SealBroken", by="w", at=NOON)
    claimed = _claimed()
    return lambda: fail_portion(claimed=claimed, failure="SealBroken", by="w", at=NOON)


def _give_up() -> Act:
    _ordered(make_person(Role.CATALOG_AUTHOR))
    for attempt in range(MOST_ATTEMPTS):
        _claimed(NOON + 2 * attempt * LEASE)
    return lambda: give_up_what_ifs(by="w", at=NOON + 2 * MOST_ATTEMPTS * LEASE)


WHAT_IFS: dict[str, tuple[str, Callable[[], Act]]] = {
    "order_what_if": ("whatif.order", _order),
    "call_off_what_if": ("whatif.cancel", _call_off),
    "store_compared": ("whatif.store", _store),
    "fail_portion": ("whatif.fail", _fail),
    "give_up_what_ifs": ("whatif.fail", _give_up),
}

PARTS_OF_WHAT_IFS = {
    "keep_what_if": "store_compared",
    "chain_of": "order_what_if",
    "record_what_if": "order_what_if",
    "compare_portion": "store_compared",
    # Bookkeeping of a job: who holds a portion.
    "claim_portion": "store_compared",
}
