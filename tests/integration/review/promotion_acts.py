"""Every act around checks of models and promotions: the kind of its entry, and a state for it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from unittest.mock import patch
from uuid import UUID, uuid4

from oipsce_site.people.models import Adjudicator
from oipsce_site.people.roles import Role
from review.actions import promotions
from review.actions.model_checks import (
    CheckWish,
    call_off_model_check,
    claim_check,
    order_model_check,
    store_checked,
)
from review.actions.promotions import (
    PromotionWish,
    ask_promotion,
    demote_fallen,
    end_promotion,
    put_promotion_in_force,
)
from review.queries.promotions import Measurable, signed_versions_of
from tests.adjudicated import CATALOG, turn_on
from tests.factories import make_person, make_site, publish
from tests.promoted import ANSWERED, PROVEN, put_in_force, signed_call

Act = Callable[[], object]
OF = Measurable("DCC", "en-US", "0" * 64, ANSWERED)


def _ordering() -> Act:
    publish(CATALOG)
    turn_on("https://models.example.org/v1")
    signed_call(1, present=False)
    site = make_site()
    wish = CheckWish(site, signed_versions_of(site.pk)[0][0], 9)
    by, now = make_person(Role.CATALOG_APPROVER), datetime.now(UTC)
    return lambda: order_model_check(check_id=CHECK, wish=wish, by=by, at=now)


CHECK = UUID(int=7)


def _calling_off() -> Act:
    _ordering()()
    by, now = make_person(Role.ADMINISTRATOR), datetime.now(UTC)
    return lambda: call_off_model_check(check_id=CHECK, by=by, at=now)


def _storing() -> Act:
    _ordering()()
    now = datetime.now(UTC)
    claimed = claim_check(by="w", at=now)
    assert claimed is not None
    return lambda: store_checked(claimed=claimed, rows=[], by="w", at=now)


def _claiming() -> Act:
    _ordering()()
    Adjudicator.objects.update(on_by=None, on_at=None)
    now = datetime.now(UTC)
    return lambda: claim_check(by="w", at=now)


def _asking(promotion_id: UUID | None = None) -> Act:
    by, now = make_person(Role.CATALOG_APPROVER), datetime.now(UTC)
    wish = PromotionWish(make_site(), OF)

    def act() -> None:
        with patch.object(promotions, "_proven", return_value=PROVEN):
            ask_promotion(promotion_id=promotion_id or uuid4(), wish=wish, by=by, at=now)

    return act


def _putting() -> Act:
    promotion_id = uuid4()
    _asking(promotion_id)()
    by, now = make_person(Role.ADMINISTRATOR), datetime.now(UTC)

    def act() -> None:
        with patch.object(promotions, "_proven", return_value=PROVEN):
            put_promotion_in_force(promotion_id=promotion_id, by=by, at=now)

    return act


def _ending() -> Act:
    promotion_id = uuid4()
    _asking(promotion_id)()
    by, now = make_person(Role.ADMINISTRATOR), datetime.now(UTC)
    return lambda: end_promotion(promotion_id=promotion_id, by=by, at=now)


def _demoting() -> Act:
    publish(CATALOG)
    turn_on("https://models.example.org/v1")
    put_in_force()
    later = datetime.now(UTC) + timedelta(hours=2)
    return lambda: demote_fallen(by="w", at=later)


PROMOTION: dict[str, tuple[str, Callable[[], Act]]] = {
    "order_model_check": ("modelcheck.order", _ordering),
    "call_off_model_check": ("modelcheck.cancel", _calling_off),
    "store_checked": ("modelcheck.done", _storing),
    # Where the site's models were switched off; else who works at it is no entry.
    "claim_check": ("modelcheck.stop", _claiming),
    "ask_promotion": ("promotion.ask", _asking),
    "put_promotion_in_force": ("promotion.stand", _putting),
    "end_promotion": ("promotion.end", _ending),
    "demote_fallen": ("promotion.end", _demoting),
}

PARTS_OF_PROMOTION = {
    # Who works at it: what is asked and found has its entries.
    "release_check": "store_checked",
    "prove": "ask_promotion",
}
